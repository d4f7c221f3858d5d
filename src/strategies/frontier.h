// Search with a frontier of states and filters on their successors; made for `dfs` and `icb` when
// they are given filters or another order of picking.
#pragma once

#include <memory>

#include "explore/strategy.h"
#include "model/run_options.h"

namespace heddle {

// Whether the options ask for more than the plain strategy.
bool wants_frontier(const RunOptions& options);

enum class FrontierKind : uint8_t {
  ByOrder,        // options.order says which state is picked next
  ByPreemptions,  // a state with the fewest preemptions
};

std::unique_ptr<Strategy> make_frontier_search(const RunOptions& options, FrontierKind kind);

}  // namespace heddle
