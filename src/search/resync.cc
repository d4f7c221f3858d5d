// Problem. A schedule is a list of threads. After an edit a thread may have more or fewer steps,
// and all addresses may have moved, so the list alone would switch threads at the wrong places.
//
// Idea. Each thread is held against its own recorded steps. As long as its next action corresponds
// to its next recorded step (the same operation, on an object that stands for the recorded one),
// the recorded order of threads is followed. An action that the thread was recorded to do a little
// later means that steps were removed; any other means that one was added, which is then taken
// without using up the recording. When the recording is at its end, the program is run on without
// preemptions: the edit may have delayed the bug.
#include "search/resync.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kLookAhead = 8;             // recorded steps that one edit may have removed
constexpr uint64_t kMostInserted = 100'000;  // in all
constexpr uint64_t kMostAfter = 100'000;

bool object_is_number(Op op) {
  const ObjectSort sort = operation(op).object;
  return sort == ObjectSort::Number || sort == ObjectSort::Thread;
}

}  // namespace

Resync::Resync(const Trace& recorded) : recorded_(recorded) {
  for (size_t i = 0; i < recorded.steps.size(); ++i)
    left_[recorded.steps[i].action.thread].push_back(i);
}

bool Resync::corresponds(const Action& recorded, const Action& now) {
  if (recorded.op != now.op) return false;
  if (recorded.object == kNoAddress || now.object == kNoAddress)
    return recorded.object == now.object;
  if (object_is_number(now.op)) return now.op == Op::Choose || recorded.object == now.object;
  // Variables of the program have been given their new addresses already (moved_objects.h).
  if (in_modules(recorded.object) || in_modules(now.object)) return recorded.object == now.object;
  auto known = objects_.find(recorded.object);
  if (known != objects_.end()) return known->second == now.object;
  return !back_.contains(now.object);
}

bool Resync::in_modules(Address address) const {
  constexpr uint64_t kGone = 1;
  if (value(address) == kGone) return true;
  for (const Module& module : recorded_.modules)
    if (value(address) >= module.begin && value(address) < module.end) return true;
  return false;
}

// A plain access to memory that has not been met yet, outside of the program's variables: any other
// such access would correspond to it as well.
bool Resync::is_guess(const Action& recorded) const {
  return (recorded.op == Op::Read || recorded.op == Op::Write) && !in_modules(recorded.object) &&
         !objects_.contains(recorded.object);
}

void Resync::differs(size_t step, const Action& now) {
  if (first_difference_ != 0) return;
  first_difference_ = step + 1;
  instead_ = now;
}

std::optional<Transition> Resync::take(const ThreadView& view, uint32_t recorded_choice) {
  return Transition{view.id, std::min(recorded_choice, view.choices - 1)};
}

std::optional<Transition> Resync::next(const Configuration& configuration) {
  while (slot_ < recorded_.steps.size()) {
    ThreadId thread = recorded_.steps[slot_].action.thread;
    const ThreadView* view = configuration.find(thread);
    std::deque<size_t>& left = left_[thread];
    if (view == nullptr || !view->enabled() || left.empty()) {  // this turn is lost
      if (view == nullptr && !left.empty()) {
        differs(left.front(), Action{.op = Op::ThreadExit, .thread = thread});
        dropped_ += left.size();
        left.clear();
      } else if (!left.empty()) {
        differs(left.front(), view->next);
      }
      ++slot_;
      continue;
    }
    size_t ahead = 0;
    while (ahead < std::min(left.size(), kLookAhead) &&
           (!corresponds(recorded_.steps[left[ahead]].action, view->next) ||
            (ahead > 0 && is_guess(recorded_.steps[left[ahead]].action))))
      ++ahead;
    if (ahead == std::min(left.size(), kLookAhead)) {
      differs(left.front(), view->next);
      if (++inserted_ > kMostInserted) return std::nullopt;
      return take(*view, 0);
    }
    if (ahead > 0) differs(left.front(), view->next);
    dropped_ += ahead;
    left.erase(left.begin(), left.begin() + static_cast<ptrdiff_t>(ahead));
    const TraceStep& step = recorded_.steps[left.front()];
    objects_.emplace(step.action.object, view->next.object);
    back_.emplace(view->next.object, step.action.object);
    left.pop_front();
    ++slot_;
    ++kept_;
    return take(*view, step.choice);
  }
  return finish(configuration);
}

std::optional<Transition> Resync::finish(const Configuration& configuration) {
  if (++after_ > kMostAfter) return std::nullopt;
  const ThreadView* last = configuration.find(configuration.last);
  bool stays = last != nullptr && last->enabled() && !configuration.last_gave_up;
  if (stays) return take(*last, 0);
  for (const ThreadView& view : configuration.live)
    if (view.enabled() && view.id != configuration.last) return take(view, 0);
  if (last != nullptr && last->enabled()) return take(*last, 0);
  return std::nullopt;
}

}  // namespace heddle
