// All partial orders of blocks under which conflicting blocks are ordered, each once.
//
// The better version of steps 3 to 5. What must be ordered is each pair of blocks of different
// threads of which one writes what the other accesses; a pair of reads is left alone. The pairs are
// gone through one by one. If the edges chosen so far already order a pair, through however many
// others, there is nothing to choose; otherwise both directions are tried, and neither can close a
// cycle. So no contradictory graph is ever built and no choice leads nowhere: the work is in
// proportion to the graphs that come out. Two graphs that come out order some conflicting pair
// differently, so none comes twice; these are the Mazurkiewicz traces of the blocks.
//
// What was given up for that: listing words in lexicographic normal form finds each trace once as
// well, without a matrix, but most of its prefixes are dead ends (a block that should have come
// earlier can never be placed again).
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace heddle::orders {

// Which pairs (of nodes of different threads) must be ordered, and what is ordered from the
// beginning. What is fixed has no cycles.
struct Conflicts {
  uint32_t nodes = 0;
  std::vector<std::pair<uint32_t, uint32_t>> fixed;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
};

// Called with the nodes in an order that follows all edges; false ends the enumeration.
using WithOrder = std::function<bool(const std::vector<uint32_t>&)>;

// How many there were (up to the end of the enumeration).
uint64_t for_each_orientation(const Conflicts& conflicts, const WithOrder& with);

}  // namespace heddle::orders
