// A search that can be divided: what is left of it, as values that other processes take up.
//
// An item is a part of the tree of schedules. Whoever searches it sees every execution in it that
// nobody else sees, and what is in it depends on nothing that the others do; so items can be
// searched in any order, at the same time, and once more where a process was lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle {

struct WorkItem {
  uint32_t bound = 0;  // of a search by a rising bound: it begins when all of lower bounds are done
  std::string bytes;   // for the strategy that made it
  uint64_t number = 0;  // which one it is, for whoever keeps the items
};

// What came of a part of a search.
struct Division {
  std::vector<WorkItem> items;  // what is left of it, the largest first as far as can be told
  std::string notes;            // for whoever keeps the items (strategies/stems.h)
  uint64_t apart = 0;           // executions that there are only because the search was divided
  int32_t bound = 0;            // the search has come to it
  uint32_t left_out = 0;        // what the statement at the end has to leave out, as bits
};

class Divisible {
 public:
  // As far as is known now. Once false, nothing that the search has divided is to be relied on.
  virtual bool may_divide() const = 0;

  // Instead of running the execution that begin_execution() has begun, or when it has begun none:
  // all that is left, in at most so many pieces for each bound, if the strategy can join pieces.
  // The search is over then.
  virtual Division divide(size_t pieces) = 0;

  // Before the first execution: these items, and nothing else, are to be searched. False if they
  // are damaged.
  virtual bool take_up(std::span<const WorkItem> items) = 0;

  // Before the first execution: instead of searching, answer complete(), guarantee() and bound()
  // as a search that has done all items below `bound`; or, if `all`, everything.
  virtual void conclude(int32_t bound, uint32_t left_out, bool all) = 0;

 protected:
  ~Divisible() = default;
};

}  // namespace heddle
