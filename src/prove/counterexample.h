// A finding of the search as steps at source level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explicit/check.h"
#include "interpreter/graph_space.h"
#include "trace/trace.h"

namespace heddle::prove {

// A value from the environment, and where it was taken.
struct TakenInput {
  size_t after = 0;  // this many steps, the one included that took it
  ThreadId thread = kMainThread;
  Address pc = kNoAddress;  // of the statement
  uint64_t value = 0;
};

// Objects are pointers of the graph, places in the code those of interpreter/state_space.h.
struct Counterexample {
  Trace trace;
  std::vector<std::string> descriptions;  // of the steps: "locks queue.mutex"
  std::vector<std::string> places;        // of the steps: "bank.c:17"
  std::vector<std::string> waiting;       // of threads that have not ended at a deadlock
  std::optional<size_t> loop;             // the step from which on all repeats for ever
  std::string place;                      // of the failure
  std::vector<uint64_t> inputs;           // values from the environment, in the order of steps
  std::vector<TakenInput> taken;          // the same, with their places
  std::vector<std::string> thread_names;  // what they run
};

// Takes the steps of the finding again and writes them down.
Counterexample retell(GraphSpace& space, const explicit_states::CheckFinding& finding);

// "queue.items[3]": how the source calls the memory at a pointer of the graph.
std::string name_of(const graph::Program& program, Address pointer);

}  // namespace heddle::prove
