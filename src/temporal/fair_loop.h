// Looks for a loop that a graph can stay in for ever and that shows every mark.
//
// The graph is explored depth-first while it is made. Nodes that lie on common loops are kept in
// one component, with the marks of all edges between them (Couvreur, "On-the-fly verification of
// linear temporal logic", FM 1999; Gabow's path-based components). As soon as some component has
// all marks there is a loop as wanted. It is then found by breadth-first searches: from the nearest
// node of the component on to one missing mark after the other, and back.
//
// A graph has
//   const std::vector<uint32_t>& initial();
//   void edges(uint32_t node, std::vector<Edge>& into);   // the same each time it is asked
//   bool stopped();                                       // whether to give up
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/check.h"

namespace heddle::temporal {

struct Edge {
  uint32_t to = 0;
  uint64_t marks = 0;
  uint32_t label = 0;  // the caller's own
};

struct FairLoop {
  bool found = false;
  bool stopped = false;
  std::vector<Edge> prefix;  // from an initial node to the loop
  uint32_t initial = 0;      // that node
  std::vector<Edge> loop;    // back to where it began; not empty
};

template <typename Graph>
class FairLoopSearch {
 public:
  FairLoopSearch(Graph& graph, uint64_t all_marks) : graph_(graph), all_(all_marks) {}

  FairLoop run() {
    for (uint32_t node : graph_.initial()) {
      if (order_of(node) != kNew) continue;
      push(node, 0);
      while (!path_.empty() && !graph_.stopped()) {
        if (advance()) return loop_of(roots_.back().order);
      }
      if (!path_.empty()) return stopped();
    }
    return {};
  }

 private:
  static constexpr uint32_t kNew = 0, kDone = 0xffffffff;

  struct Visit {
    uint32_t node = 0;
    std::vector<Edge> edges;
    size_t next = 0;
  };
  struct Root {
    uint32_t order = 0;
    uint64_t marks = 0;     // of edges inside the component
    uint64_t incoming = 0;  // of the edge that led to it
  };

  uint32_t& order_of(uint32_t node) {
    if (node >= order_.size()) order_.resize(size_t{node} + 1, kNew);
    return order_[node];
  }

  void push(uint32_t node, uint64_t marks) {
    order_of(node) = ++last_order_;
    open_.push_back(node);
    roots_.push_back({last_order_, 0, marks});
    path_.push_back({node, {}, 0});
    graph_.edges(node, path_.back().edges);
  }

  // One edge, or the way back. Whether the last component has all marks.
  bool advance() {
    Visit& visit = path_.back();
    if (visit.next == visit.edges.size()) {
      retreat();
      return false;
    }
    const Edge edge = visit.edges[visit.next++];
    const uint32_t order = order_of(edge.to);
    if (order == kNew) {
      push(edge.to, edge.marks);
      return false;
    }
    return order != kDone && merge(order, edge.marks);
  }

  void retreat() {
    const uint32_t order = order_of(path_.back().node);
    path_.pop_back();
    if (roots_.back().order != order) return;
    roots_.pop_back();
    while (!open_.empty() && order_of(open_.back()) >= order) {
      order_of(open_.back()) = kDone;
      open_.pop_back();
    }
  }

  bool merge(uint32_t order, uint64_t marks) {
    while (roots_.back().order > order) {
      marks |= roots_.back().marks | roots_.back().incoming;
      roots_.pop_back();
    }
    roots_.back().marks |= marks;
    return (all_ & ~roots_.back().marks) == 0;
  }

  static FairLoop stopped() {
    FairLoop result;
    result.stopped = true;
    return result;
  }

  FairLoop loop_of(uint32_t root_order) {
    FairLoop result;
    result.found = true;
    const auto inside = [&](uint32_t node) {
      const uint32_t order = order_of(node);
      return order != kNew && order != kDone && order >= root_order;
    };
    const auto known = [&](uint32_t node) { return order_of(node) != kNew; };
    uint32_t at = prefix_to(inside, known, result);
    const uint32_t first = at;
    uint64_t missing = all_;
    while (missing != 0) {
      const std::vector<Edge> way =
          shortest(at, inside, [&](const Edge& edge) { return (edge.marks & missing) != 0; });
      for (const Edge& edge : way) missing &= ~edge.marks;
      result.loop.insert(result.loop.end(), way.begin(), way.end());
      at = way.back().to;
    }
    if (at != first || result.loop.empty()) {
      const std::vector<Edge> way =
          shortest(at, inside, [&](const Edge& edge) { return edge.to == first; });
      result.loop.insert(result.loop.end(), way.begin(), way.end());
    }
    return result;
  }

  // Where the way from an initial node meets the component first.
  uint32_t prefix_to(const std::function<bool(uint32_t)>& inside,
                     const std::function<bool(uint32_t)>& known, FairLoop& result) {
    for (uint32_t node : graph_.initial())
      if (inside(node)) {
        result.initial = node;
        return node;
      }
    for (uint32_t node : graph_.initial()) {
      if (!known(node)) continue;
      std::vector<Edge> way =
          shortest(node, known, [&](const Edge& edge) { return inside(edge.to); });
      if (way.empty() || (!result.prefix.empty() && way.size() >= result.prefix.size())) continue;
      result.initial = node;
      result.prefix = std::move(way);
    }
    return result.prefix.back().to;
  }

  // The shortest way from a node, through such nodes, whose last edge is wanted; empty if there is
  // none.
  std::vector<Edge> shortest(uint32_t from, const std::function<bool(uint32_t)>& through,
                             const std::function<bool(const Edge&)>& wanted) {
    struct Reached {
      uint32_t node = 0;
      size_t before = 0;
      Edge by;
    };
    std::vector<Reached> queue{{from, 0, {}}};
    std::vector<bool> seen(order_.size());
    seen[from] = true;
    std::vector<Edge> edges;
    for (size_t i = 0; i < queue.size(); ++i) {
      edges.clear();
      graph_.edges(queue[i].node, edges);
      for (const Edge& edge : edges) {
        if (edge.to >= seen.size() || !through(edge.to)) continue;
        if (wanted(edge)) {
          std::vector<Edge> way{edge};
          for (size_t at = i; at != 0; at = queue[at].before) way.push_back(queue[at].by);
          std::ranges::reverse(way);
          return way;
        }
        if (seen[edge.to]) continue;
        seen[edge.to] = true;
        queue.push_back({edge.to, i, edge});
      }
    }
    return {};
  }

  Graph& graph_;
  uint64_t all_;
  std::vector<uint32_t> order_;  // by node: kNew, in which order it was met, or kDone
  std::vector<uint32_t> open_;   // nodes of components that are not finished, as they were met
  std::vector<Root> roots_;
  std::vector<Visit> path_;
  uint32_t last_order_ = 0;
};

template <typename Graph>
FairLoop find_fair_loop(Graph& graph, uint64_t all_marks) {
  return FairLoopSearch<Graph>(graph, all_marks).run();
}

}  // namespace heddle::temporal
