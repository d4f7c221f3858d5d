#include "search/recorder.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "explore/failures.h"
#include "search/resync.h"

namespace heddle {
namespace {

// What it is dependent with as things are is for the search, not for the reader.
Action without_form(Action action) {
  if (has_forms(action.op) || action.op == Op::RwUnlock) action.second = kNoAddress;
  return action;
}

std::string describe(const Action& action) {
  std::string text = "thread " + std::to_string(index(action.thread)) + " ";
  text += verb(action.op);
  const ObjectSort sort = operation(action.op).object;
  if (sort == ObjectSort::Thread) return text + " thread " + std::to_string(value(action.object));
  if (action.object == kNoAddress || sort == ObjectSort::Number) return text;
  char digits[32];
  snprintf(digits, sizeof digits, " 0x%lx", static_cast<unsigned long>(value(action.object)));
  return text + digits;
}

// With the words of the trace file where there are some: an edit may have moved the objects.
std::string describe(const TraceStep& recorded) {
  if (recorded.remark.empty()) return describe(recorded.action);
  return "thread " + std::to_string(index(recorded.action.thread)) + " " + recorded.remark;
}

Failure divergence(size_t step, const std::string& recorded, const std::string& now) {
  Failure failure;
  failure.kind = FindingKind::Nondeterminism;
  failure.message = "step " + std::to_string(step + 1) +
                    " differs from the recording: recorded was \"" + recorded + "\", now " + now;
  return failure;
}

}  // namespace

Trace ExecutionRecorder::record(const Schedule& schedule, const Trace* expected,
                                LastStep last_step) {
  schedule_ = &schedule;
  expected_ = expected;
  last_step_ = last_step;
  trace_ = {};
  begin();
  executor_.set_spinning(Spinning::Unroll);  // the schedule knows where it wants to go
  executor_.reset();
  begun();
  const bool edited = program_was_edited() && expected_ != nullptr && !expected_->steps.empty();
  if (edited ? follow_edited() : follow()) judge();
  describe_end();
  end();
  if (trace_.failure.kind == FindingKind::Livelock && confirms_livelocks() && !goes_on_for_ever())
    not_shown("the threads do not go on for ever");
  if (trace_.failure.kind == FindingKind::Livelock && shows_loops()) show_loops();
  return std::move(trace_);
}

// See resync.h. Differences are noted, not failures.
bool ExecutionRecorder::follow_edited() {
  Resync resync(*expected_);
  while (executor_.status() == Status::Running) {
    std::optional<Transition> transition = resync.next(executor_.configuration());
    if (!transition) break;
    note_step(*executor_.configuration().find(transition->thread), transition->choice);
    before_step(trace_.steps.size(), transition->thread);
    executor_.step(*transition);
  }
  note_difference(resync);
  return true;
}

void ExecutionRecorder::note_difference(const Resync& resync) {
  trace_.resync = std::to_string(resync.kept()) + " of " + std::to_string(expected_->steps.size()) +
                  " recorded steps were taken";
  if (resync.inserted() > 0) trace_.resync += ", " + std::to_string(resync.inserted()) + " new";
  if (resync.first_difference() > 0)
    trace_.resync += "; step " + std::to_string(resync.first_difference()) +
                     " is the first that differs: recorded was \"" +
                     describe(expected_->steps[resync.first_difference() - 1]) + "\", now \"" +
                     describe(resync.instead()) + "\"";
}

const TraceStep* ExecutionRecorder::recorded(size_t i) const {
  if (expected_ == nullptr || i >= expected_->steps.size()) return nullptr;
  return &expected_->steps[i];
}

bool ExecutionRecorder::follow() {
  for (size_t i = 0; i < schedule_->size(); ++i) {
    if (executor_.status() != Status::Running) return ended_early(i);
    const ThreadView* view = executor_.configuration().find((*schedule_)[i].thread);
    if (!matches(i, view)) return false;
    note_step(*view, (*schedule_)[i].choice);
    if (last_step_ == LastStep::ShowOnly && i + 1 == schedule_->size()) return true;
    before_step(i + 1, (*schedule_)[i].thread);
    executor_.step((*schedule_)[i]);
  }
  return true;
}

bool ExecutionRecorder::ended_early(size_t i) {
  if (executor_.status() == Status::Failed) return true;
  const TraceStep* wanted = recorded(i);
  trace_.failure = divergence(i, wanted != nullptr ? describe(*wanted) : "a further step",
                              "the program has ended");
  return false;
}

bool ExecutionRecorder::matches(size_t i, const ThreadView* view) {
  const TraceStep* wanted = recorded(i);
  std::string expected = wanted != nullptr
                             ? describe(*wanted)
                             : "thread " + std::to_string(index((*schedule_)[i].thread)) + " moves";
  std::string thread = "thread " + std::to_string(index((*schedule_)[i].thread));
  if (view == nullptr)
    trace_.failure = divergence(i, expected, thread + " does not exist");
  else if (wanted != nullptr && !view->next.same_as(wanted->action))
    trace_.failure = divergence(i, expected, "\"" + describe(view->next) + "\"");
  else if ((*schedule_)[i].choice >= view->choices)
    trace_.failure = divergence(i, expected, thread + " is blocked");
  else
    return true;
  return false;
}

void ExecutionRecorder::note_step(const ThreadView& view, uint32_t choice) {
  const Configuration& configuration = executor_.configuration();
  TraceStep step;
  step.action = without_form(view.next);
  step.choice = choice;
  step.choices = view.choices;
  step.preempts = view.id != configuration.last && configuration.switch_preempts();
  // The search knew more about who waits in a loop.
  const TraceStep* before = program_was_edited() ? nullptr : recorded(trace_.steps.size());
  if (before != nullptr && before->action.same_as(step.action)) step.preempts = before->preempts;
  add_to_step(view, step);
  trace_.preemptions += step.preempts ? 1 : 0;
  trace_.schedule.push_back({view.id, choice});
  trace_.steps.push_back(std::move(step));
}

void ExecutionRecorder::judge() {
  if (executor_.status() == Status::Failed) {
    trace_.failure = executor_.failure();
    add_to_failure();
  } else if (executor_.status() == Status::Running && !executor_.configuration().any_enabled()) {
    trace_.failure = deadlock(executor_);
  } else if (executor_.status() == Status::Running && expected_ != nullptr &&
             expected_->failure.kind == FindingKind::Livelock) {
    trace_.failure = expected_->failure;  // as long as the recording, and no end in sight
  } else {
    not_shown(executor_.status() == Status::Finished
                  ? "the program ended normally"
                  : "the program goes on after the last recorded step");
  }
}

void ExecutionRecorder::not_shown(const char* instead) {
  trace_.failure = {};
  trace_.failure.kind = FindingKind::Nondeterminism;
  trace_.failure.message = std::string("the bug did not show again: ") + instead;
}

// Whether the livelock that was recorded is one now, too.
bool ExecutionRecorder::goes_on_for_ever() {
  if (executor_.status() == Status::Failed) return true;  // a step that did not end
  const Failure& failure = expected_->failure;
  if (failure.knot == 0 && failure.pc != kNoAddress) return false;  // that step has ended
  begin_loops();
  const bool goes_on = failure.knot != 0 ? keeps_spinning(executor_) : takes_as_many_steps();
  end_loops();
  return goes_on;
}

// Every thread in turn, since one that is left out might end it all.
bool ExecutionRecorder::takes_as_many_steps() {
  size_t left = schedule_->size();
  while (left > 0) {
    const std::vector<ThreadView> views = executor_.configuration().live;
    const size_t before = left;
    for (const ThreadView& seen : views) {
      const ThreadView* view = executor_.configuration().find(seen.id);
      if (view == nullptr || !view->enabled() || left == 0) continue;
      --left;
      if (executor_.step({seen.id, 0}) != Status::Running) return false;
    }
    if (left == before) return false;
  }
  return true;
}

void ExecutionRecorder::describe_end() {
  if (executor_.status() != Status::Running) return;
  for (const ThreadView& view : executor_.configuration().live) describe_thread(view);
  find_cycle();
}

void ExecutionRecorder::describe_thread(const ThreadView& view) {
  TraceThreadEnd end;
  end.next = without_form(view.next);
  end.enabled = view.enabled();
  if (!end.enabled) end.waits_for = executor_.waits_for(view.next);
  end.stack = stack_of(view.id);
  trace_.ends.push_back(std::move(end));
}

ThreadId ExecutionRecorder::waits_for(ThreadId thread) const {
  for (const TraceThreadEnd& end : trace_.ends)
    if (end.next.thread == thread) return end.waits_for;
  return kNoThread;
}

void ExecutionRecorder::find_cycle() {
  for (const TraceThreadEnd& end : trace_.ends) {
    std::vector<ThreadId> path{end.next.thread};
    for (ThreadId next = end.waits_for; next != kNoThread; next = waits_for(next)) {
      if (next == path.front()) {
        trace_.cycle = path;
        return;
      }
      if (std::find(path.begin(), path.end(), next) != path.end()) break;
      path.push_back(next);
    }
  }
}

// What the threads do that go round and round: each gets its turn, first until those that do not
// are blocked or have ended, then until the others have come round.
void ExecutionRecorder::show_loops() {
  constexpr size_t kRounds = 200, kMost = 12;  // actions of one thread
  begin_loops();
  std::vector<TraceEvidence> loops;
  for (size_t round = 0; round < 2 * kRounds; ++round) {
    const std::vector<ThreadView> views = executor_.configuration().live;
    for (const ThreadView& before : views) {
      if (executor_.status() != Status::Running) break;
      const ThreadView* view = executor_.configuration().find(before.id);
      if (view == nullptr || !view->enabled()) continue;
      if (round >= kRounds) note_in_loop(*view, loops, kMost);
      executor_.step({before.id, 0});
    }
  }
  end_loops();
  if (executor_.status() != Status::Running) return;  // no loop at all
  std::stable_sort(loops.begin(), loops.end(),
                   [](const auto& a, const auto& b) { return a.action.thread < b.action.thread; });
  trace_.evidence.insert(trace_.evidence.end(), loops.begin(), loops.end());
}

void ExecutionRecorder::note_in_loop(const ThreadView& view, std::vector<TraceEvidence>& loops,
                                     size_t most) const {
  size_t own = 0;
  for (const TraceEvidence& known : loops) {
    if (known.action.thread != view.id) continue;
    if (known.action.pc == view.next.pc || ++own == most) return;
  }
  loops.push_back({EvidenceRole::Loop, view.next, {}, stack_of(view.id)});
}

}  // namespace heddle
