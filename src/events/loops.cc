// Natural loops (Aho, Lam, Sethi, Ullman, "Compilers", section 9.6): an edge that leads back to a
// block h closes a loop of h and of all blocks from which the edge is reached without passing h.
#include "events/loops.h"

#include <algorithm>
#include <map>
#include <utility>

#include "graph/bit_set.h"

namespace heddle::events {

using graph::BitSet;
using graph::index;

LoopNest::LoopNest(const graph::Routine& routine, const circuit::RoutinePlan& plan)
    : around_(routine.blocks.size()) {
  std::vector<std::vector<uint32_t>> before(routine.blocks.size());
  std::map<uint32_t, BitSet> bodies;  // by header
  std::vector<std::pair<uint32_t, uint32_t>> back;
  for (const uint32_t block : plan.order) {
    const graph::Jump& jump = routine.blocks[block].jump;
    for (const graph::BlockId to : {jump.then, jump.otherwise}) {
      if (to == graph::kNoBlock) continue;
      before[index(to)].push_back(block);
      if (plan.rank[index(to)] <= plan.rank[block]) back.emplace_back(block, index(to));
    }
  }
  for (const auto& [from, header] : back) {
    BitSet& body = bodies.try_emplace(header, routine.blocks.size()).first->second;
    body.insert(header);
    std::vector<uint32_t> open{from};
    while (!open.empty()) {
      const uint32_t block = open.back();
      open.pop_back();
      if (body.contains(block)) continue;
      body.insert(block);
      open.insert(open.end(), before[block].begin(), before[block].end());
    }
    if (header != 0 && body.contains(0)) reducible_ = false;
  }
  for (const uint32_t block : plan.order) {
    for (const auto& [header, body] : bodies)
      if (body.contains(block)) around_[block].push_back(header);
    std::ranges::sort(around_[block], [&](uint32_t a, uint32_t b) {
      const size_t left = bodies.at(a).count(), right = bodies.at(b).count();
      return left != right ? left > right : a < b;
    });
  }
}

}  // namespace heddle::events
