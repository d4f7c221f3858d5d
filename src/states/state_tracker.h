// The happens-before state of the execution under way, extended step by step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "states/extended_action.h"
#include "states/version_table.h"

namespace heddle {

class StateTracker {
 public:
  // Back to the initial state.
  void clear();

  // What taking `action` now would add to the state.
  ExtendedAction preview(const Action& action, uint32_t choice) const;
  uint64_t hash_after(const Action& action, uint32_t choice) const {
    return hash_ + mix(preview(action, choice));
  }

  ExtendedAction extend(const Action& action, uint32_t choice);

  uint64_t hash() const { return hash_; }
  size_t size() const { return size_; }  // steps taken

 private:
  VersionTable versions_;
  std::vector<uint32_t> steps_;  // by thread
  uint64_t hash_ = 0;
  size_t size_ = 0;
};

// A state in full: its elements in order.
using CanonicalState = std::vector<ExtendedAction>;
CanonicalState canonical(std::span<const ExtendedAction> elements);

}  // namespace heddle
