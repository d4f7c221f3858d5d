// State filters, and the states they look at (SCALE, section 4.2).
//
// The search hands a filter each state it reaches together with the successors it found there; the
// filter drops some. A filter may leave its own notes with a state: they are in Node, since a state
// is reached along a chain of nodes which the filters walk up.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/executor.h"
#include "states/state_tracker.h"

namespace heddle {

struct Node;

// The super steps that leave one super node: super_step.cc.
struct SuperStep {
  ThreadId thread = kNoThread;
  std::vector<Action> actions;  // all but the last are intermediate
};
struct SuperNode {
  std::vector<SuperStep> steps;
};

// A state and one way to reach it. Nodes form a tree by `parent`, and live as long as a descendant
// is of interest.
struct Node {
  Node* parent = nullptr;  // null: the initial state
  uint32_t references = 0;
  Transition transition;  // by which it was reached
  Action action;
  uint64_t state = 0;  // hash of the happens-before state
  uint32_t depth = 0;
  uint32_t preemptions = 0;

  std::unique_ptr<SuperNode> super_node;  // where super-step is on and a super step ends here
  Node* super_origin = nullptr;           // the super node from which this super step came
  uint32_t super_step = 0;                // which of its steps
  std::vector<ThreadId> enabled;          // where super-step is on
};

struct Successor {
  Transition transition;
  Action action;
  ExtendedAction element;  // what it adds to the state
  uint64_t state = 0;
  uint32_t preemptions = 0;
  uint32_t super_step = 0;
  bool dropped = false;
};

// A node whose successors have just been found.
struct Expansion {
  Node& node;
  const Configuration& configuration;
  const Executor* executor;
  std::span<const ExtendedAction> elements;  // of the node's state, in the order of its path
  std::vector<Successor> successors;

  void drop_all() {
    for (Successor& successor : successors) successor.dropped = true;
  }
};

class Filter {
 public:
  virtual ~Filter() = default;

  // Asked when a node is picked from the frontier, before the program is brought there.
  virtual bool admits(const Node&) { return true; }

  // Drops successors of the expansion.
  virtual void apply(Expansion& expansion) = 0;

  // Whether it may have dropped what nothing else leads to, so that nothing is certain about the
  // whole.
  virtual bool may_hide_more() const { return false; }

  // What is wrong with what the user has given it to work by; empty: nothing.
  virtual std::string_view mistake() const { return {}; }

  // What was left out up to now, as a phrase to follow the guarantee; empty if nothing was.
  virtual std::string left_out() const { return {}; }

  // States kept by the filter, if it keeps any.
  virtual uint64_t states() const { return 0; }
};

}  // namespace heddle
