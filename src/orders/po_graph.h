// Partial-order graphs over blocks, and their topological sorting.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::orders {

// Nodes are numbered from 0 on; an edge says who comes first.
struct PoGraph {
  uint32_t nodes = 0;
  std::vector<std::pair<uint32_t, uint32_t>> edges;
};

// One order of the nodes that follows all edges: of those that could come next, always the one
// with the smallest number. Nothing if the edges contradict each other.
std::optional<std::vector<uint32_t>> topological_order(const PoGraph& graph);

}  // namespace heddle::orders
