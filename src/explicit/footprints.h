// What a thread may touch from where it stands, whatever the others do.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "graph/bit_set.h"
#include "graph/points_to.h"
#include "interpreter/state_space.h"

namespace heddle::explicit_states {

// Resources of a StateSpace.
struct Footprint {
  graph::BitSet reads;
  graph::BitSet writes;
  graph::BitSet resets;  // locks that may be made anew, whoever holds them

  void add(const Footprint& other) {
    reads.merge(other.reads);
    writes.merge(other.writes);
    resets.merge(other.resets);
  }
  // One of them writes what the other touches.
  bool conflicts(const Footprint& other) const {
    return writes.meets(other.writes) || writes.meets(other.reads) || reads.meets(other.writes);
  }
};

// Locks, as resources, in order.
using LockSet = std::vector<uint32_t>;

class Footprints {
 public:
  explicit Footprints(const StateSpace& space);

  // Where a thread stands: before the action of a block, or in it, where what is left to do begins
  // with taking a lock again.
  struct Position {
    uint32_t slot = 0;
    uint32_t routine = 0;
    uint32_t block = 0;
    bool inside = false;
    friend bool operator<(const Position& a, const Position& b) {
      return std::tie(a.slot, a.routine, a.block, a.inside) <
             std::tie(b.slot, b.routine, b.block, b.inside);
    }
  };

  // All that the thread, and those that it creates, may touch from here on.
  const Footprint& later(const Position& position);
  // The same as long as they get none of these locks.
  const Footprint& later_without(const Position& position, const LockSet& locks);
  // Beside the action itself: what the thread does up to its next action that others may notice.
  const Footprint& rest_of_step(const Position& position);
  // The whole of an atomic section that begins, or goes on, with this block.
  const Footprint& section(const Position& position);
  // Whether the step may go along an edge that closes a cycle.
  bool may_close_cycle(uint32_t routine, uint32_t block, bool in_section);

  Footprint nothing() const {
    return {graph::BitSet(resources_), graph::BitSet(resources_), graph::BitSet(resources_)};
  }

  // What the text says of one block.
  struct BlockFacts {
    Footprint action;                 // of the action
    Footprint statements;             // of the statements, apart from allocations
    std::vector<uint32_t> allocates;  // sites
    uint32_t takes = kNoLock;         // the lock that it must get, if it is known
    bool relocks = false;             // `takes` comes last, after waiting
    bool ends_step = true;            // the action is one that others notice
    std::vector<uint32_t> next;
    std::vector<bool> closes;  // by edge: it leads back to where the routine may come from
    uint32_t starts = kNoRoutine;
  };
  static constexpr uint32_t kNoLock = graph::PointsTo::kNoCell;
  static constexpr uint32_t kNoRoutine = 0xffffffff;
  const BlockFacts& facts(uint32_t routine, uint32_t block) const { return facts_[routine][block]; }
  // Of the block's allocations, by that thread; by any, for a slot that there is not.
  void add_allocations(Footprint& to, uint32_t slot, const BlockFacts& facts) const;

 private:
  struct Node {
    uint32_t routine, block;
    friend bool operator<(const Node& a, const Node& b) {
      return std::tie(a.routine, a.block) < std::tie(b.routine, b.block);
    }
  };
  void look_at(uint32_t routine, uint32_t block);
  void find_cycles(uint32_t routine);
  void add_access(Footprint& to, uint32_t routine, const graph::Action& action,
                  graph::ExprId address, bool writes) const;
  void add_life(Footprint& to, uint32_t routine, graph::ExprId address) const;
  void add_new_life(Footprint& to, graph::ObjectId object) const;
  uint32_t known_lock(uint32_t routine, graph::ExprId address) const;
  Footprint collect(const Position& position, const LockSet& locks) const;
  Footprint collect_step(const Position& position, bool in_section) const;
  const BlockFacts& facts(const Node& node) const { return facts_[node.routine][node.block]; }

  const StateSpace& space_;
  const graph::Program& program_;
  graph::PointsTo points_to_;
  uint32_t resources_;
  std::vector<std::vector<BlockFacts>> facts_;
  std::map<std::tuple<Position, LockSet>, Footprint> later_;
  std::map<Position, Footprint> steps_;
  std::map<Position, Footprint> sections_;
  std::map<std::tuple<uint32_t, uint32_t, bool>, bool> may_close_;
};

}  // namespace heddle::explicit_states
