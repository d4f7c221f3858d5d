// Static partial orders of program graphs: control paths of the threads, combined, and one run for
// each partial order of their conflicting steps.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/state_space.h"

namespace heddle::orders {

struct OrdersOptions {
  uint32_t unwind = 3;             // how often a path passes the same place
  uint64_t most_graphs = 1000000;  // then the search ends undecided
  uint64_t most_paths = 10000;     // of one routine
  std::function<bool()> stop;      // asked now and then: end, undecided
  // Called for each state in which an execution has ended or cannot go on.
  std::function<void(const uint8_t*, Outcome)> on_end;
};

struct OrdersFinding {
  Failure failure;
  std::vector<Move> path;
};

struct GraphOrders {
  uint64_t combinations = 0;  // of control paths
  uint64_t graphs = 0;        // partial orders of them, each run once
  uint64_t infeasible = 0;    // that no execution follows
  bool complete = false;      // all were run
  bool cut = false;           // some executions go on beyond the bounds
  std::string reason;         // not complete: one sentence, without a period
  std::vector<OrdersFinding> findings;
};

GraphOrders run_graph_orders(StateSpace& space, const OrdersOptions& options);

}  // namespace heddle::orders
