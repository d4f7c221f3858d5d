// The execution under way, seen as a path in the tree of all schedules, together with the
// alternatives along it that are still to be tried. Depth-first search and the searches inside one
// bound both walk the tree with it.
//
// Storage is flat: one vector of transitions for the path, one for the alternatives of all its
// nodes, and one small record for each node that has any left. Nothing is allocated once the
// longest execution has been seen, and the size depends on the depth of the tree alone.
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
    begin_ = 0;
    width_ = 1;
  }

  // At the end of the path: offer() the transitions to try from here, at least one, in order;
  // extend() takes the first. `incumbent` is the thread that the others would preempt, or none.
  void offer(Transition transition) { alternatives_.push_back(transition); }
  Transition extend(ThreadId incumbent) {
    const uint32_t offered = nodes_.empty() ? 0 : nodes_.back().end;
    const Transition first = alternatives_[offered];
    if (offered + 1 == alternatives_.size()) {
      alternatives_.pop_back();
    } else {
      nodes_.push_back({static_cast<uint32_t>(path_.size()), offered, offered + 1,
                        static_cast<uint32_t>(alternatives_.size()), preemptions_, incumbent,
                        begin_, width_ / static_cast<double>(alternatives_.size() - offered)});
      width_ = nodes_.back().width;
    }
    append(first, incumbent);
    return first;
  }

  // Goes to the next alternative of the deepest node that has one; false if none is left.
  bool backtrack() {
    if (nodes_.empty()) return false;
    Node& node = nodes_.back();
    path_.resize(node.depth);
    preemptions_ = node.preemptions;
    width_ = node.width;
    begin_ = node.first + node.width * (node.next - node.begin);
    append(alternatives_[node.next], node.incumbent);
    if (++node.next == node.end) {
      alternatives_.resize(node.begin);
      nodes_.pop_back();
    }
    return true;
  }

  std::span<const Transition> transitions() const { return path_; }
  uint32_t preemptions() const { return preemptions_; }
  // The part of the tree that lies behind the search when this path is done (Share).
  double part() const { return begin_ + width_; }

 private:
  struct Node {
    uint32_t depth;             // transitions before it
    uint32_t begin, next, end;  // its part of alternatives_, and the first not yet tried
    uint32_t preemptions;       // before it
    ThreadId incumbent;
    double first, width;  // where the part of its first alternative begins, and of each how much
  };

  void append(Transition transition, ThreadId incumbent) {
    preemptions_ += incumbent != kNoThread && transition.thread != incumbent;
    path_.push_back(transition);
  }

  std::vector<Transition> path_;
  std::vector<Transition> alternatives_;
  std::vector<Node> nodes_;
  uint32_t preemptions_ = 0;
  double begin_ = 0, width_ = 1;  // the part of the tree below the end of the path
};

}  // namespace heddle
