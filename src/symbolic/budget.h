// Whether an engine may go on: clocks, memory, and somebody who says stop.
#pragma once

#include <chrono>
#include <string>

#include "symbolic/engine.h"

namespace heddle::symbolic {

class Budget {
 public:
  explicit Budget(const Limits& limits);

  // Cheap enough to be asked after each conflict: clocks are read now and then only.
  bool spent();
  bool spent_now();
  const std::string& reason() const { return reason_; }
  double seconds_left() const;  // of wall clock; large where there is no limit

 private:
  const Limits& limits_;
  std::chrono::steady_clock::time_point begin_;
  double cpu_begin_;
  uint64_t resident_begin_;
  uint32_t asked_ = 0;
  std::string reason_;
};

// Of this process.
double cpu_seconds();
uint64_t address_space();
uint64_t resident_bytes();

}  // namespace heddle::symbolic
