// Limits, priority, scheduling policy and processors of the process, as they were when main began.
// What could not be put back is refused where the program asks for it.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace heddle {

class SchedulingState {
 public:
  void take_baseline();
  void restore();
  // Whether restore() would succeed. The program's change is in force; it is afterwards, too.
  bool can_restore_limit(int resource) const;
  bool can_restore_priority() const;

 private:
  static constexpr int kLimits = RLIM_NLIMITS;
  static constexpr uint64_t kMaskBytes = 1024;

  rlimit64 limits_[kLimits] = {};
  long priority_ = 0;  // as the system call knows it: 20 - nice
  long policy_ = 0;
  int parameter_ = 0;
  long mask_bytes_ = 0;
  alignas(8) unsigned char processors_[kMaskBytes] = {};
};

}  // namespace heddle
