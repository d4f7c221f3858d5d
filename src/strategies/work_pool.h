// What is left of a divided search: its items, and what came of those that are done.
//
// Whoever takes items has to say what came of all of them together, once. Until then they belong to
// him; should he be lost, they are put back.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/divisible.h"
#include "strategies/stems.h"

namespace heddle {

class WorkPool {
 public:
  using Share = std::vector<WorkItem>;

  // What came of the whole search until it was divided, or of a share: the items that there are now
  // besides. Nothing if it is damaged.
  std::optional<std::vector<WorkItem>> add(Division division);
  // Into an empty pool: what add() told of and was not taken and done since, and all notes so far.
  struct Contents {
    std::vector<WorkItem> items;
    std::vector<std::string> notes;
    int32_t bound = 0;
    uint64_t apart = 0;
    uint32_t left_out = 0;
  };
  bool restore(Contents contents);
  void put_back(const Share& share);

  bool empty() const { return items_.empty(); }
  size_t size() const;
  // The largest that the search has come to.
  int32_t bound() const { return bound_; }

  // The lowest bound of which items are left; bound() if none are.
  int32_t lowest_bound() const {
    return items_.empty() ? bound_ : static_cast<int32_t>(items_.begin()->first);
  }
  // Whether there is something to take while items of `bound` (-1: none) are out.
  bool offers(int64_t bound) const {
    return !items_.empty() && (bound < 0 || items_.begin()->first == bound);
  }

  // Items of the lowest bound, once all that were taken are done or of the same, as many as is fair
  // to one of `takers`.
  Share take(size_t takers);
  // For the process that is to search them.
  std::vector<WorkItem> ready(const Share& share) const;

  uint64_t apart() const { return apart_; }
  uint32_t left_out() const { return left_out_; }

 private:
  std::map<uint32_t, std::deque<WorkItem>> items_;  // by bound, never empty
  Stems stems_;
  uint64_t last_number_ = 0;  // of all items so far
  int32_t bound_ = 0;
  uint64_t apart_ = 0;
  uint32_t left_out_ = 0;
};

}  // namespace heddle
