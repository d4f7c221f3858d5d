// Runs one schedule again and writes down everything a report needs.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/executor.h"
#include "model/schedule.h"
#include "trace/trace.h"

namespace heddle {

class Resync;

enum class LastStep : uint8_t { Take, ShowOnly };  // a step that takes the process with it is shown

class Recorder {
 public:
  virtual ~Recorder() = default;
  // Fills in all of the trace that belongs to the execution. `expected`, where given, is a recorded
  // trace: each step is compared with it, and the first difference ends the execution as
  // Nondeterminism; so does a bug that does not show.
  virtual Trace record(const Schedule& schedule, const Trace* expected, LastStep last_step) = 0;
};

// What can be said of an execution by any executor. What only one of them knows (stacks, names,
// output) is added where it is asked for by the functions below, which do nothing here.
class ExecutionRecorder : public Recorder {
 public:
  explicit ExecutionRecorder(Executor& executor) : executor_(executor) {}
  Trace record(const Schedule& schedule, const Trace* expected, LastStep last_step) final;

 protected:
  // Of one recording, in this order.
  virtual void begin() {}
  virtual void begun() {}  // the program is in its initial state
  virtual void add_to_step(const ThreadView&, TraceStep&) {}
  virtual void before_step(size_t /*number, from 1*/, ThreadId) {}
  virtual void add_to_failure() {}
  virtual void end() {}

  // Whether the program may have been edited since `expected` was recorded.
  virtual bool program_was_edited() const { return false; }
  // Whether a livelock has to be one again, and is not known to be.
  virtual bool confirms_livelocks() const { return false; }
  // Whether the loops of a livelock are to be shown, and what surrounds the steps that do it.
  virtual bool shows_loops() const { return true; }
  virtual void begin_loops() {}
  virtual void end_loops() {}
  virtual std::vector<Address> stack_of(ThreadId) const { return {}; }

  Trace& trace() { return trace_; }
  const Trace* expected() const { return expected_; }
  const Schedule& schedule() const { return *schedule_; }
  void describe_thread(const ThreadView& view);

 private:
  bool follow();
  bool follow_edited();
  void note_difference(const Resync& resync);
  const TraceStep* recorded(size_t i) const;
  bool ended_early(size_t i);
  bool matches(size_t i, const ThreadView* view);
  void note_step(const ThreadView& view, uint32_t choice);
  void judge();
  void describe_end();
  ThreadId waits_for(ThreadId thread) const;
  void find_cycle();
  void not_shown(const char* instead);
  bool goes_on_for_ever();
  bool takes_as_many_steps();
  void show_loops();
  void note_in_loop(const ThreadView& view, std::vector<TraceEvidence>& loops, size_t most) const;

  Executor& executor_;
  const Schedule* schedule_ = nullptr;
  const Trace* expected_ = nullptr;
  LastStep last_step_ = LastStep::Take;
  Trace trace_;
};

}  // namespace heddle
