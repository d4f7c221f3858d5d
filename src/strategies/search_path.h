// The execution under way, seen as a path in the tree of all schedules, together with the
// alternatives along it that are still to be tried. Depth-first search and the searches inside one
// bound both walk the tree with it.
//
// Storage is flat: one vector of transitions for the path, one for the alternatives of all its
// nodes, and one small record for each node that had any. Nothing is allocated once the longest
// execution has been seen, and the size depends on the depth of the tree alone.
//
// How an execution ends does not matter here. Whether it ended by itself, failed, or took the
// process with it, the last transition of the path was the one it ended under: what is below that
// is done, and backtrack() goes on from there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "model/schedule.h"

namespace heddle {

class SearchPath {
 public:
  // Makes `stem` followed by `branch` the root: backtracking never goes above it.
  void start(std::span<const Transition> stem, Transition branch, uint32_t preemptions) {
    path_.assign(stem.begin(), stem.end());
    path_.push_back(branch);
    preemptions_ = preemptions;
    nodes_.clear();
    alternatives_.clear();
    offered_ = false;
  }

  // At the end of the path: offer() the transitions to try from here, at least one, in order;
  // extend() takes the first. `incumbent` is the thread that the others would preempt, or none.
  void offer(Transition transition) {
    if (offered_)
      alternatives_.push_back(transition);
    else
      first_ = transition;
    offered_ = true;
  }
  Transition extend(ThreadId incumbent) {
    const uint32_t begin = nodes_.empty() ? 0 : nodes_.back().end;
    if (begin < alternatives_.size())
      nodes_.push_back({static_cast<uint32_t>(path_.size()), begin,
                        static_cast<uint32_t>(alternatives_.size()), preemptions_, incumbent});
    offered_ = false;
    append(first_, incumbent);
    return first_;
  }

  // Goes to the next alternative of the deepest node that has one; false if none is left.
  bool backtrack() {
    while (!nodes_.empty() && nodes_.back().next == nodes_.back().end) nodes_.pop_back();
    if (nodes_.empty()) return false;
    Node& node = nodes_.back();
    alternatives_.resize(node.end);
    path_.resize(node.depth);
    preemptions_ = node.preemptions;
    append(alternatives_[node.next++], node.incumbent);
    return true;
  }

  // What backtrack() would go to, the shallowest first: visit(depth, transition, preemptions), with
  // the preemptions behind the transition.
  template <typename Visit>
  void for_each_left(Visit visit) const {
    for (const Node& node : nodes_)
      for (uint32_t i = node.next; i < node.end; ++i) {
        const bool preempts =
            node.incumbent != kNoThread && alternatives_[i].thread != node.incumbent;
        visit(node.depth, alternatives_[i], node.preemptions + (preempts ? 1 : 0));
      }
  }

  std::span<const Transition> transitions() const { return path_; }
  uint32_t preemptions() const { return preemptions_; }
  // The part of the tree that lies behind the search when this path is done (Share).
  double part() const {
    double done = 0, width = 1;
    uint32_t begin = 0;
    for (const Node& node : nodes_) {
      width /= node.end - begin + 1;
      done += width * (node.next - begin);
      begin = node.end;
    }
    return done + width;
  }

 private:
  struct Node {
    uint32_t depth;      // transitions before it
    uint32_t next, end;  // the first of its alternatives not yet tried, and the first of the next's
    uint32_t preemptions;  // before it
    ThreadId incumbent;
  };

  void append(Transition transition, ThreadId incumbent) {
    preemptions_ += incumbent != kNoThread && transition.thread != incumbent;
    path_.push_back(transition);
  }

  std::vector<Transition> path_;
  std::vector<Transition> alternatives_;  // to what was taken first at the nodes
  std::vector<Node> nodes_;
  uint32_t preemptions_ = 0;
  Transition first_;  // of those offered at the end of the path, if any were
  bool offered_ = false;
};

}  // namespace heddle
