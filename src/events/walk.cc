#include "events/walk.h"

#include <algorithm>
#include <optional>

namespace heddle::events {
namespace {

using circuit::Aig;

// The union of two ways that differ in one decision only.
std::optional<Decisions> resolved(const Decisions& a, const Decisions& b) {
  if (a.size() != b.size()) return std::nullopt;
  Decisions both, rest;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(rest));
  if (rest.size() != 2 || (rest[0] ^ 1) != rest[1]) return std::nullopt;
  return both;
}

void merge_flags(Aig& aig, const std::vector<Walk>& walks,
                 std::map<uint32_t, Literal> Walk::*member) {
  std::map<uint32_t, Literal> merged;
  for (const Walk& walk : walks)
    for (const auto& [key, value] : walk.*member) {
      const Literal here = aig.land(walk.guard, value);
      Literal& all = merged.try_emplace(key, circuit::kFalse).first->second;
      all = aig.lor(all, here);
    }
  const_cast<Walk&>(walks.front()).*member = std::move(merged);
}

}  // namespace

Word WalkMerger::one_of(const std::vector<Walk>& walks, const std::vector<Word>& words) {
  // The last one is what it is if no other is: a multiplexer for each but one of them.
  Word result = words.back();
  for (size_t i = walks.size() - 1; i > 0; --i)
    result = circuit::choose(aig_, walks[i - 1].guard, words[i - 1], result);
  return result;
}

void WalkMerger::merge_words(std::vector<Walk>& walks, const graph::RegisterSet& live) {
  for (uint32_t i = 0; i < walks.front().registers.size(); ++i) {
    if (!live.contains(i)) continue;
    std::vector<Word> words;
    for (const Walk& walk : walks) words.push_back(walk.registers[i]);
    walks.front().registers[i] = one_of(walks, words);
  }
}

Decisions WalkMerger::merge_ways(const std::vector<Walk>& walks) {
  std::vector<Decisions> ways;
  for (const Walk& walk : walks) ways.push_back(walk.way);
  for (size_t i = 0; i < ways.size(); ++i)
    for (size_t k = i + 1; k < ways.size(); ++k) {
      std::optional<Decisions> one = ways[i] == ways[k] ? ways[i] : resolved(ways[i], ways[k]);
      if (!one) continue;
      ways[i] = std::move(*one);
      ways.erase(ways.begin() + static_cast<std::ptrdiff_t>(k));
      i = static_cast<size_t>(-1);
      break;
    }
  if (ways.size() == 1) return ways.front();
  return {unknown_--};
}

void WalkMerger::merge_rest(std::vector<Walk>& walks) {
  Walk& result = walks.front();
  result.way = merge_ways(walks);
  merge_flags(aig_, walks, &Walk::holds);
  merge_flags(aig_, walks, &Walk::in_use);
  std::vector<Literal> guards;
  for (const Walk& walk : walks) {
    guards.push_back(walk.guard);
    for (size_t slot = 0; slot < result.after.size(); ++slot)
      result.after[slot] = std::min(result.after[slot], walk.after[slot]);
    for (size_t i = 0; i < result.loops.size(); ++i)
      result.loops[i].uncertain = std::max(result.loops[i].uncertain, walk.loops[i].uncertain);
  }
  result.guard = aig_.lor(guards);
}

}  // namespace heddle::events
