// What a thread did last.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "model/action.h"

namespace heddle {

// The last steps of a thread, in the order of all steps of the execution.
class RecentSteps {
 public:
  static constexpr size_t kMost = 32;
  struct Step {
    uint64_t when;
    Address object;
    Address second;
    Op op;
  };

  void clear() { taken_ = 0; }
  void note(const Action& action, uint64_t when) {
    steps_[taken_++ % kMost] = {when, action.object, action.second, action.op};
  }
  size_t size() const { return taken_ < kMost ? taken_ : kMost; }
  const Step& operator[](size_t i) const { return steps_[i]; }

 private:
  Step steps_[kMost];
  size_t taken_ = 0;
};

}  // namespace heddle
