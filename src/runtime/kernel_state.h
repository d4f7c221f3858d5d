// What the kernel keeps for the process and a program can change: open descriptors, mappings,
// signal dispositions and mask, working directory. It is put back only after executions that
// touched it, so that others pay nothing.
#pragma once

#include <csignal>
#include <cstdint>

#include "runtime/reserved.h"

namespace heddle {

class KernelState {
 public:
  void initialise();
  void take_baseline();
  void restore();
  // The path of the working directory leads somewhere else now.
  void enter_directory(const char* path);

  // Whether the program has changed nothing here that children would share with their parent:
  // neither open descriptors nor mappings.
  bool is_only_memory() const;

  void descriptors_touched() { descriptors_ = true; }
  void mappings_touched() { mappings_ = true; }
  void dispositions_touched() { dispositions_ = true; }
  void directory_touched() { directory_ = true; }

 private:
  static constexpr int kSignals = 64;
  struct KernelAction {  // as rt_sigaction knows it
    uint64_t handler, flags, restorer, mask;
  };
  struct Range {
    uint64_t begin, end;
  };

  void close_new_descriptors();
  void unmap_new_mappings();
  void restore_dispositions();

  bool descriptors_ = false, mappings_ = false, dispositions_ = false, directory_ = false;
  ReservedVector<int> open_;
  ReservedVector<Range> mapped_;
  KernelAction actions_[kSignals + 1] = {};
  uint64_t mask_ = 0;
  long working_directory_ = -1;
  uint64_t umask_ = 0;
};

KernelState& kernel_state();

// What the process says its number is: one that no process can have.
inline constexpr int kProcessNumber = (1 << 22) + 1;

// A number for gettid(): the same in every execution, different for every thread.
int thread_number();

}  // namespace heddle
