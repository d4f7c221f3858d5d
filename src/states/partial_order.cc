#include "states/partial_order.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "model/waiting.h"

namespace heddle {
namespace {

void note_sync(OrderedStep& step) {
  step.sync.fill(kNoAddress);
  size_t count = 0;
  for (const Access& access : accesses_of(step.action))
    if (access.kind == ResourceKind::Sync) step.sync[count++] = Address{access.begin};
}

// The state of a reader-writer lock before its first step, which is this one.
uint32_t held_at_first(const Action& action) {
  return action.before == Action::kUnknownState ? 0 : action.before;
}

Answer when_above_zero(uint32_t value) {
  if (value == Action::kUnknownState) return Answer::Unknown;
  return value > 0 ? Answer::Yes : Answer::No;
}

}  // namespace

void PartialOrder::clear() {
  truncate(0);
  pending_.clear();
  initially_alive_.clear();
}

void PartialOrder::truncate(size_t steps) {
  steps_.resize(steps);
  clocks_.resize(std::max(clocks_.size(), steps));
  for (std::vector<uint32_t>& list : of_thread_)
    while (!list.empty() && list.back() >= steps) list.pop_back();
  tracker_.clear();
  for (const OrderedStep& step : steps_) tracker_.extend(step.action, step.choice);
  scratch_cut_.clear();
  pending_ready_.clear();
}

void PartialOrder::note(const Configuration& configuration) {
  for (const ThreadView& view : configuration.live)
    if (index(view.id) >= of_thread_.size()) of_thread_.resize(index(view.id) + 1);
  pending_.assign(of_thread_.size(), ThreadView{kNoThread, {}, 0});
  for (const ThreadView& view : configuration.live) {
    pending_[index(view.id)] = view;
    pending_[index(view.id)].next = regardless_of_outcome(view.next);
  }
  pending_ready_.clear();
  if (!steps_.empty()) {
    const ThreadView& last = pending_[index(steps_.back().action.thread)];
    steps_.back().woke_itself = last.id != kNoThread && is_woken(last.next.op);
    return;
  }
  initially_alive_.assign(of_thread_.size(), false);
  for (const ThreadView& view : configuration.live) initially_alive_[index(view.id)] = true;
}

void PartialOrder::push(const Action& taken, Transition transition, uint32_t choices) {
  const Action action = regardless_of_outcome(taken);
  const uint32_t thread = index(transition.thread);
  if (thread >= of_thread_.size()) of_thread_.resize(thread + 1);
  OrderedStep step{action, transition.choice, choices,
                   static_cast<uint32_t>(of_thread_[thread].size())};
  step.mix = mix(tracker_.extend(action, transition.choice));
  of_thread_[thread].push_back(static_cast<uint32_t>(steps_.size()));
  steps_.push_back(step);
  note_sync(steps_.back());
  order(steps_.size() - 1);
  judge(steps_.size() - 1);
  scratch_cut_.clear();
  pending_ready_.clear();
}

void PartialOrder::end_last_thread() {
  if (!steps_.empty()) {
    const uint32_t thread = index(steps_.back().action.thread);
    if (thread < pending_.size()) pending_[thread].id = kNoThread;
    pending_ready_.clear();
  }
}

// What happens before the step: its thread's past, the past of all it depends on, and of what woke
// it. Of each thread only the last step it depends on counts, and only if that is news.
void PartialOrder::order(size_t i) {
  if (clocks_.size() <= i) clocks_.resize(i + 1);
  std::vector<uint32_t>& clock = clocks_[i];
  const OrderedStep& step = steps_[i];
  clock.assign(of_thread_.size(), 0);
  if (step.position > 0)
    join_clock(clock, of_thread_[index(step.action.thread)][step.position - 1]);
  for (size_t t = 0; t < of_thread_.size(); ++t) {
    if (t == index(step.action.thread)) continue;
    for (size_t k = of_thread_[t].size(); k > clock[t]; --k) {
      const uint32_t earlier = of_thread_[t][k - 1];
      if (dependent(steps_[earlier].action, step.action)) join_clock(clock, earlier);
    }
  }
  if (is_last_resort(step.action.op))
    for (size_t earlier = 0; earlier < i; ++earlier) join_clock(clock, earlier);
  if (step.action.op == Op::CondRelock) {
    const size_t waker = woken_by(whole(), step.action.thread, step.action.second);
    if (waker < steps_.size()) join_clock(clock, waker);
  }
  clock[index(step.action.thread)] = step.position + 1;
}

void PartialOrder::join_clock(std::vector<uint32_t>& clock, size_t step) const {
  const std::vector<uint32_t>& other = clocks_[step];
  for (size_t t = 0; t < other.size(); ++t) clock[t] = std::max(clock[t], other[t]);
}

Cut PartialOrder::whole() const {
  Cut cut(of_thread_.size());
  for (size_t t = 0; t < cut.size(); ++t) cut[t] = static_cast<uint32_t>(of_thread_[t].size());
  return cut;
}

const Action* PartialOrder::next_action(const Cut& cut, ThreadId thread) const {
  if (const OrderedStep* step = next_step(cut, thread)) return &step->action;
  if (index(thread) >= pending_.size() || pending_[index(thread)].id == kNoThread) return nullptr;
  return &pending_[index(thread)].next;
}

bool PartialOrder::contains_past(const Cut& cut, size_t step) const {
  const std::span<const uint32_t> past = clock(step);
  const uint32_t own = index(steps_[step].action.thread);
  for (uint32_t t = 0; t < past.size(); ++t)
    if (t != own && past[t] > cut[t]) return false;
  return true;
}

bool PartialOrder::alive(const Cut& cut, ThreadId thread) const {
  if (cut[index(thread)] > 0) return true;
  if (index(thread) < initially_alive_.size() && initially_alive_[index(thread)]) return true;
  for (const OrderedStep& step : steps_)
    if (step.action.op == Op::ThreadCreate && value(step.action.object) == index(thread) &&
        contains(cut, step))
      return true;
  return false;
}

bool PartialOrder::ended(const Cut& cut, ThreadId thread) const {
  if (index(thread) >= cut.size() || cut[index(thread)] == 0) return false;
  return last_step(cut, thread).action.op == Op::ThreadExit;
}

Answer PartialOrder::enabled_in(const Cut& cut, ThreadId thread) const {
  if (!alive(cut, thread) || ended(cut, thread)) return Answer::No;
  const Action* action = next_action(cut, thread);
  if (action == nullptr) return Answer::No;
  if (next_step(cut, thread) != nullptr &&
      contains_past(cut, of_thread_[index(thread)][cut[index(thread)]]))
    return Answer::Yes;  // nothing else in the cut can concern it, or it would be in its past
  if (operation(action->op).waits == Waits::Never) return Answer::Yes;
  if (operation(action->op).waits == Waits::Blocked) return Answer::No;
  switch (action->op) {
    case Op::ThreadJoin:
      return ended(cut, ThreadId{static_cast<uint32_t>(value(action->object))}) ? Answer::Yes
                                                                                : Answer::No;
    case Op::MutexLock:
    case Op::SpinLock:
      return mutex_free(cut, action->object, thread);
    case Op::SemWait:
      return when_above_zero(state_in(cut, action->object, thread));
    case Op::RwRead:
    case Op::RwWrite:
      return rwlock_free(cut, *action);
    case Op::CondRelock:
      if (!timed_out(cut, thread) && woken_by(cut, thread, action->second) == steps_.size())
        return Answer::No;
      return mutex_free(cut, action->object, thread);
    case Op::Once:
    case Op::StaticInit:
      return not_initialising(cut, action->object);
    default:
      return Answer::Unknown;
  }
}

// In which state the cut leaves something whose steps are all ordered; for_thread comes to it next.
uint32_t PartialOrder::state_in(const Cut& cut, Address object, ThreadId for_thread) const {
  for (const OrderedStep& step : steps_) {
    if (contains(cut, step)) continue;
    if (is_section(step.action)) return Action::kUnknownState;  // it may change anything
    if (step.touches_sync(object)) return step.action.before;
  }
  return index(for_thread) < pending_.size() ? pending_[index(for_thread)].next.before
                                             : Action::kUnknownState;
}

// Readers wait for the writer only. They are independent of each other, so what they leave has to
// be counted.
Answer PartialOrder::rwlock_free(const Cut& cut, const Action& wanted) const {
  std::optional<uint32_t> state;
  ThreadId writer = kNoThread;
  for (const OrderedStep& step : steps_) {
    const Action& action = step.action;
    if (!step.touches_sync(wanted.object)) continue;
    if (!state) state = held_at_first(action);
    if (!contains(cut, step)) continue;
    switch (operation(action.op).lock) {
      case LockEffect::AcquireRead:
        if (*state != kHeldForWriting) ++*state;
        break;
      case LockEffect::AcquireWrite:
        if (*state != 0) break;
        state = kHeldForWriting;
        writer = action.thread;
        break;
      case LockEffect::ReleaseRw:
        if (*state != 0) state = *state == kHeldForWriting ? 0 : *state - 1;
        break;
      default:
        return Answer::Unknown;
    }
  }
  if (!state) state = held_at_first(wanted);
  if (*state == kHeldForWriting && writer == wanted.thread) return Answer::Unknown;
  return available(wanted.op, *state) ? Answer::Yes : Answer::No;
}

// Whether nobody is inside the initialisation that the control or guard stands for.
Answer PartialOrder::not_initialising(const Cut& cut, Address control) const {
  bool running = false, done = false;
  for (const OrderedStep& step : steps_) {
    const Action& action = step.action;
    if (!contains(cut, step) || !step.touches_sync(control)) continue;
    if (action.op == Op::OnceEnd) {
      running = false;
      done = true;
    } else if (running || (action.op != Op::Once && action.op != Op::StaticInit)) {
      return Answer::Unknown;  // an exception left it, or something else was done to it
    } else {
      running = !done;
    }
  }
  return running ? Answer::No : Answer::Yes;
}

Answer PartialOrder::mutex_free(const Cut& cut, Address mutex, ThreadId for_thread) const {
  const uint32_t holder = state_in(cut, mutex, for_thread);
  if (holder == Action::kUnknownState) return mutex_free_by_steps(cut, mutex, for_thread);
  if (holder == 0) return Answer::Yes;
  // Its kind decides whether the thread can have it once more.
  return holder == index(for_thread) + 1 ? Answer::Unknown : Answer::No;
}

Answer PartialOrder::mutex_free_by_steps(const Cut& cut, Address mutex, ThreadId for_thread) const {
  ThreadId holder = kNoThread;
  uint32_t depth = 0;
  for (const OrderedStep& step : steps_) {
    const Action& action = step.action;
    if (!contains(cut, step) || !step.touches_sync(mutex)) continue;
    const bool held_by_other = depth > 0 && holder != action.thread;
    switch (operation(action.op).lock) {
      case LockEffect::Acquire:
        depth = held_by_other ? 1 : depth + 1;
        holder = action.thread;
        break;
      case LockEffect::TryAcquire:
        if (held_by_other) break;
        if (depth > 0) return Answer::Unknown;  // whether it succeeded depends on the mutex's kind
        depth = 1;
        holder = action.thread;
        break;
      case LockEffect::Release:
        if (depth == 0 || held_by_other) return Answer::Unknown;
        --depth;
        break;
      case LockEffect::ReleaseSecond:
        if (depth != 1 || held_by_other) return Answer::Unknown;
        depth = 0;
        break;
      case LockEffect::Destroy:
        depth = 0;
        break;
      default:
        return Answer::Unknown;
    }
  }
  if (depth == 0) return Answer::Yes;
  if (holder == for_thread && next_step(cut, for_thread) != nullptr) return Answer::Yes;
  return Answer::No;
}

// Calls visit(step, thread) for every waiter that is woken in the cut. Waiters are numbered in the
// order of their ids. Returns through `visit` alone; those left waiting are counted by waiters().
template <typename Visit>
void PartialOrder::replay_condition(const Cut& cut, Address condition, Visit visit) const {
  std::vector<ThreadId> waiting;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const OrderedStep& step = steps_[i];
    if (step.action.object != condition || !contains(cut, step)) continue;
    // Other alternatives than the first end the wait without a signal.
    if ((step.action.op == Op::CondWait || step.action.op == Op::CondTimedWait) &&
        step.choice == 0 && !step.woke_itself) {
      waiting.insert(std::upper_bound(waiting.begin(), waiting.end(), step.action.thread),
                     step.action.thread);
    } else if (step.action.op == Op::CondSignal && step.choice < waiting.size()) {
      visit(i, waiting[step.choice]);
      waiting.erase(waiting.begin() + step.choice);
    } else if (step.action.op == Op::TimeOut) {
      std::erase(waiting, step.action.thread);
    } else if (step.action.op == Op::CondBroadcast) {
      for (ThreadId thread : waiting) visit(i, thread);
      waiting.clear();
    }
  }
  for (ThreadId thread : waiting) visit(steps_.size(), thread);
}

bool PartialOrder::timed_out(const Cut& cut, ThreadId thread) const {
  if (cut[index(thread)] == 0) return false;
  const OrderedStep& last = last_step(cut, thread);
  const bool waits = last.action.op == Op::CondTimedWait || last.action.op == Op::CondWait;
  return last.action.op == Op::TimeOut || last.woke_itself || (waits && last.choice > 0);
}

size_t PartialOrder::woken_by(const Cut& cut, ThreadId thread, Address condition) const {
  size_t waker = steps_.size();
  replay_condition(cut, condition, [&](size_t step, ThreadId woken) {
    if (woken == thread) waker = step;
  });
  return waker;
}

uint32_t PartialOrder::waiters(const Cut& cut, Address condition) const {
  uint32_t count = 0;
  replay_condition(cut, condition, [&](size_t step, ThreadId) { count += step == steps_.size(); });
  return count;
}

uint32_t PartialOrder::choices_in(const Cut& cut, ThreadId thread) const {
  const OrderedStep* step = next_step(cut, thread);
  const Action& action = *next_action(cut, thread);
  if (action.op == Op::CondSignal) return std::max(1u, waiters(cut, action.object));
  if (choices_vary(action.op)) return 0;
  const uint32_t seen = step != nullptr ? step->choices : pending_[index(thread)].choices;
  if (action.op == Op::Choose) return seen;
  return seen <= 1 ? 1 : 0;
}

uint64_t PartialOrder::hash_after(const Cut& cut, uint64_t before, ThreadId thread,
                                  uint32_t choice) const {
  const OrderedStep* step = next_step(cut, thread);
  if (step != nullptr && step->choice == choice &&
      contains_past(cut, of_thread_[index(thread)][cut[index(thread)]]))
    return before + step->mix;
  if (scratch_cut_ != cut) {
    scratch_cut_ = cut;
    scratch_.clear();
    for (const OrderedStep& s : steps_)
      if (contains(cut, s)) scratch_.extend(s.action, s.choice);
  }
  return scratch_.hash_after(*next_action(cut, thread), choice);
}

}  // namespace heddle
