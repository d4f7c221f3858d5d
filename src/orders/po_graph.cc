#include "orders/po_graph.h"

#include <functional>
#include <queue>

namespace heddle::orders {

std::optional<std::vector<uint32_t>> topological_order(const PoGraph& graph) {
  std::vector<std::vector<uint32_t>> later(graph.nodes);
  std::vector<uint32_t> waits_for(graph.nodes);
  for (const auto& [from, to] : graph.edges) {
    later[from].push_back(to);
    ++waits_for[to];
  }
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t node = 0; node < graph.nodes; ++node) {
    if (waits_for[node] == 0) ready.push(node);
  }
  std::vector<uint32_t> order;
  while (!ready.empty()) {
    const uint32_t node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const uint32_t next : later[node]) {
      if (--waits_for[next] == 0) ready.push(next);
    }
  }
  if (order.size() != graph.nodes) return std::nullopt;
  return order;
}

}  // namespace heddle::orders
