// A queue of schedule prefixes, for searches that put part of their work off until a later bound.
//
// What is put off in one execution branches off the same path. So the queue stores bundles: the
// path once, in runs of equal transitions, then for each piece of work the depth at which it leaves
// the path and the transition it leaves with: two bytes, mostly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/schedule.h"
#include "strategies/byte_queue.h"

namespace heddle {

// The execution that follows some path for `depth` steps, then takes `transition`.
struct Branch {
  uint32_t depth = 0;
  Transition transition;
};

struct WorkBundle {
  Schedule path;                 // at least as long as the deepest branch
  std::vector<Branch> branches;  // in order of depth, at least one
  uint32_t preemptions = 0;      // of each of them, the branch included
};

class WorkQueue {
 public:
  bool empty() const { return bytes_.empty(); }
  size_t bytes() const { return bytes_.size(); }

  // `branches` as in a WorkBundle.
  void push(std::span<const Transition> path, std::span<const Branch> branches,
            uint32_t preemptions);
  // Replaces what `bundle` held, reusing its memory.
  void pop(WorkBundle& bundle);

 private:
  ByteQueue bytes_;
};

}  // namespace heddle
