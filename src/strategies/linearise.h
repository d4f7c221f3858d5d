// Orders of steps in which every look sees what it is meant to see.
//
// Given are steps, each thread's in its order, a source for each that looks at a variable, and what
// else has to come before what. Wanted is a sequence of all of them with each look after its source
// and no other write to that variable in between. To decide whether there is one is NP-complete
// (Gibbons, Korach, "Testing shared memories", SIAM J. Comput. 1997). The search here takes steps
// that write nothing as soon as they can be taken, which is never wrong; it never overwrites what
// somebody has yet to see; and it does not come back to a situation in which it has failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "base/ids.h"

namespace heddle {

class Lineariser {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  struct Item {
    ThreadId thread = kNoThread;
    uint32_t variable = kNone;  // that it looks at or writes
    bool looks = false;
    bool writes = false;
    uint32_t source = kNone;  // number of an item; kNone: what was there at first
    uint32_t cause = kNone;   // an item that has to come before it, besides those of its thread
  };
  enum class Answer : uint8_t { Found, None, Unknown };  // Unknown: it took too long

  void clear() { items_.clear(); }
  // Items of one thread are given in their order.
  uint32_t add(const Item& item) {
    items_.push_back(item);
    return static_cast<uint32_t>(items_.size() - 1);
  }
  Answer solve();
  const std::vector<uint32_t>& order() const { return order_; }

 private:
  // Where a search stands: what is to be taken next of each thread, and who wrote what last.
  struct Situation {
    std::vector<uint32_t> next;  // by thread: into its items
    std::vector<uint32_t> last;  // by variable: item + 1, or 0
    friend bool operator<(const Situation& a, const Situation& b) {
      return std::tie(a.next, a.last) < std::tie(b.next, b.last);
    }
  };

  void prepare();
  bool possible(uint32_t item, const Situation& now) const;
  void take(uint32_t item, Situation& now);
  void take_back(uint32_t item);
  void take_what_only_looks(Situation& now);
  bool search(Situation now);

  std::vector<Item> items_;
  std::vector<std::vector<uint32_t>> threads_;
  std::vector<uint32_t> unseen_;        // by source item + 1: those who have yet to see it
  std::vector<uint32_t> first_unseen_;  // by variable: those who have yet to see its first value
  std::vector<bool> taken_;
  std::vector<uint32_t> order_;
  std::set<Situation> failed_;
  size_t budget_ = 0;
};

}  // namespace heddle
