// A thread on its way through its unrolled text.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "circuit/aig.h"
#include "circuit/words.h"
#include "graph/liveness.h"

namespace heddle::events {

using circuit::Literal;
using circuit::Word;

// Which branches led here: literals that hold, in order.
using Decisions = std::vector<uint32_t>;

// One round of a loop that the thread is in.
struct Round {
  uint32_t header = 0;
  uint32_t number = 0;
  uint32_t uncertain = 0;  // rounds before it that were not sure to come
  Decisions way;           // to its header
};

struct Walk {
  Literal guard = circuit::kFalse;  // the thread comes this way
  Decisions way;
  std::vector<Word> registers;
  std::map<uint32_t, Word> cells;      // that are not as they were at first
  std::map<uint32_t, Literal> holds;   // by cell: a lock that the thread holds
  std::map<uint32_t, Literal> in_use;  // by object of its sites
  std::vector<Round> loops;            // the outermost first
  std::vector<uint32_t> after;         // by slot: so many events of it came before
  uint32_t children = 0;
};

// One walk that stands for all; at most one of them is taken. `initial` gives cells that some of
// them do not know. Nothing if they have created different numbers of threads.
class WalkMerger {
 public:
  explicit WalkMerger(circuit::Aig& aig) : aig_(aig) {}

  template <typename Initial>
  bool merge(std::vector<Walk>& walks, const graph::RegisterSet& live, const Initial& initial) {
    Walk& result = walks.front();
    for (size_t i = 1; i < walks.size(); ++i)
      if (walks[i].children != result.children) return false;
    if (walks.size() == 1) return true;
    merge_words(walks, live);
    for (const Walk& walk : walks)
      for (const auto& [cell, value] : walk.cells) result.cells.try_emplace(cell, initial(cell));
    for (auto& [cell, value] : result.cells) {
      std::vector<Word> words;
      for (const Walk& walk : walks) {
        const auto found = walk.cells.find(cell);
        words.push_back(found == walk.cells.end() ? initial(cell) : found->second);
      }
      value = one_of(walks, words);
    }
    merge_rest(walks);
    return true;
  }

 private:
  Word one_of(const std::vector<Walk>& walks, const std::vector<Word>& words);
  void merge_words(std::vector<Walk>& walks, const graph::RegisterSet& live);
  void merge_rest(std::vector<Walk>& walks);
  Decisions merge_ways(const std::vector<Walk>& walks);

  circuit::Aig& aig_;
  uint32_t unknown_ = 0xffffffff;  // decisions that stand for what cannot be put in short
};

}  // namespace heddle::events
