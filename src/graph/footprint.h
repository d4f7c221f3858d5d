// What threads may touch, as far as the program's text says: now, with the step they take next, and
// later.
//
// Resources are numbered as in interpreter/state_space.h: the cells of all objects in their order,
// then the life of each object. The beginning and the end of threads are told apart, as flags.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/bit_set.h"
#include "graph/graph.h"
#include "graph/points_to.h"

namespace heddle::graph {

// Where a thread may stand between steps.
struct Stand {
  BlockId block{0};
  // In the middle of the block: before a statement that takes an input, or where it has called
  // exit. Otherwise before the action of the block, or waiting in it.
  bool inside = false;
  bool leaves = false;  // inside, and before the end of the process, which is the step after exit
  friend bool operator==(const Stand&, const Stand&) = default;
};

struct TouchSet {
  BitSet reads, writes;
  bool creates = false;           // a thread
  bool joins = false;             // or asks whether it has ended
  bool ends = false;              // the thread returns
  bool meets_everything = false;  // ends the process

  explicit TouchSet(size_t resources = 0) : reads(resources), writes(resources) {}
  bool merge(const TouchSet& other);  // whether it has grown
};

// What a step from a place may touch: its action, and all that follows up to the next action that
// is a step of its own; in an atomic section all of it.
struct StepFootprint {
  TouchSet touches;
  TouchSet rest;  // without the action itself: of the statements, of blocks without a step
  // The lock that the step takes if it is taken; kNoResource: none, or it is not known which.
  uint32_t acquires = 0xffffffff;
  BitSet may_acquire;  // locks
  std::vector<Stand> next;
};
inline constexpr uint32_t kNoResource = 0xffffffff;

class Footprints {
 public:
  explicit Footprints(const Program& program);

  size_t resource_count() const { return resources_; }
  const PointsTo& points_to() const { return points_to_; }
  static bool may_be_step(const Action& action);

  const StepFootprint& step(RoutineId routine, Stand stand) const;
  // From the beginning of the routine to its first step.
  const StepFootprint& start(RoutineId routine) const { return starts_[index(routine)]; }
  // The step and all that may come after it, in the same thread.
  const TouchSet& later(RoutineId routine, Stand stand) const;
  const TouchSet& later_from_start(RoutineId routine) const {
    return later_starts_[index(routine)];
  }
  // Likewise, along ways on which none of these locks is taken: up to where one would be.
  void later_without(RoutineId routine, Stand stand, std::span<const uint32_t> locks,
                     TouchSet& into) const;
  // The mutex that a thread woken in a condition wait takes; kNoResource if it is not known.
  uint32_t relocks(RoutineId routine, BlockId block) const;

 private:
  friend class FootprintMaker;
  size_t at(RoutineId routine, Stand stand) const {
    return first_[index(routine)] + kStands * index(stand.block) +
           (stand.leaves   ? 2
            : stand.inside ? 1
                           : 0);
  }

  const Program& program_;
  PointsTo points_to_;
  size_t resources_ = 0;
  static constexpr size_t kStands = 3;  // of a block
  std::vector<size_t> first_;           // by routine, into those below: so many for each block
  std::vector<StepFootprint> steps_;
  std::vector<TouchSet> later_;
  std::vector<StepFootprint> starts_;
  std::vector<TouchSet> later_starts_;
};

}  // namespace heddle::graph
