// What the kernel keeps for the process and a program can change: open descriptors, mappings,
// signal dispositions and mask, working directory, limits and priorities. It is put back only after
// executions that touched it, so that others pay nothing. What cannot be put back is refused by
// name (intercepts/process_state.cc, model/passed_functions.h).
#pragma once

#include <csignal>
#include <cstdint>

#include "base/ids.h"
#include "runtime/rewind/inherited_descriptors.h"
#include "runtime/rewind/inherited_mappings.h"
#include "runtime/rewind/scheduling_state.h"
#include "runtime/rewind/signal_masks.h"

namespace heddle {

class KernelState {
 public:
  void initialise();
  void take_baseline();
  // Executions run in processes of their own: only what those share is kept.
  void take_shared_baseline();
  void restore();
  void restore_shared() { inherited_descriptors_.restore_shared(); }
  // The path of the working directory leads somewhere else now.
  void enter_directory(const char* path);

  // Whether the program has changed nothing here that children would share with their parent:
  // neither open descriptors nor mappings.
  bool is_only_memory() const;

  const InheritedDescriptors& inherited_descriptors() const { return inherited_descriptors_; }
  InheritedMappings& inherited_mappings() { return inherited_mappings_; }
  const SchedulingState& scheduling() const { return scheduling_; }

  void descriptors_touched() { descriptors_ = true; }
  void mappings_touched() { mappings_ = true; }
  bool are_mappings_touched() const { return mappings_; }
  void dispositions_touched() { dispositions_ = true; }
  void directory_touched() { directory_ = true; }
  void scheduling_touched() { scheduling_changed_ = true; }

 private:
  struct KernelAction {  // as rt_sigaction knows it
    uint64_t handler, flags, restorer, mask;
  };

  void restore_dispositions();
  void forget_pending_signals();

  bool descriptors_ = false, mappings_ = false, dispositions_ = false, directory_ = false;
  bool scheduling_changed_ = false;
  InheritedDescriptors inherited_descriptors_;
  InheritedMappings inherited_mappings_;
  SchedulingState scheduling_;
  KernelAction actions_[kSignals + 1] = {};
  uint64_t mask_ = 0;
  long working_directory_ = -1;
  uint64_t umask_ = 0;
};

KernelState& kernel_state();

// What the process says its number is: one that no process can have.
inline constexpr int kProcessNumber = (1 << 22) + 1;

// A number for gettid(): the same in every execution, different for every thread.
inline int number_of(ThreadId thread) {
  return kProcessNumber + static_cast<int>(index(thread));
}

}  // namespace heddle
