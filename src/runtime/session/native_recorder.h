// What the native executor adds to a recorded execution: call stacks, output, names of objects and
// whose variables they are, evidence.
#pragma once

#include <map>

#include "runtime/core/native_executor.h"
#include "search/recorder.h"

namespace heddle {

class NativeRecorder final : public ExecutionRecorder {
 public:
  explicit NativeRecorder(NativeExecutor& executor)
      : ExecutionRecorder(executor), executor_(executor) {}

 private:
  void begin() override;
  void begun() override;
  void add_to_step(const ThreadView& view, TraceStep& step) override;
  void before_step(size_t number, ThreadId thread) override;
  void add_to_failure() override;
  void end() override;
  bool program_was_edited() const override;
  bool confirms_livelocks() const override;
  bool shows_loops() const override;
  void begin_loops() override;
  void end_loops() override;
  std::vector<Address> stack_of(ThreadId thread) const override;

  void note_threads();
  void note_frame(Address object);
  TraceFrame suspended_frame(ThreadId owner, Address object) const;
  void note_frame_of_failure();
  void show_blocked_thread();
  void name_objects();
  void name_object(const Action& action);
  void note_block(TraceObject& object);

  NativeExecutor& executor_;
  std::map<Address, TraceFrame> frames_;  // of objects on stacks
};

}  // namespace heddle
