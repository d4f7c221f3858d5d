// Which actions commute: the dependence relation, by what each operation accesses (the column of
// operations.h).
//
// Two actions of different threads are dependent if they access the same resource and at least one
// of them changes it. Everything that orders, prunes or classifies executions asks here.
//
// Besides dependence, a step happens after the one that enabled it. For created and joined threads
// the table has that too (they access the thread). For a waiter woken by a signal or broadcast it
// has not, since whom a signal wakes is not in its action: whoever orders steps must add the order
// between the signal and the CondRelock it made of a CondBlocked. Later signals are independent of
// that relock. Other woken threads (is_woken in action.h) access what they waited for, so that the
// order is in the table; but it cannot be reversed, since the step was not there before.
//
// Readers of a reader-writer lock are independent of each other, also where they give it back. That
// holds for two attempts of which one fails, too: only a step that changes the lock can make their
// outcomes differ.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>

#include "model/action.h"

namespace heddle {

// Resources of different kinds never meet, even where their numbers are equal.
enum class ResourceKind : uint8_t {
  Memory,     // bytes of the program's memory
  Sync,       // a mutex, condition variable, once control, static's guard
  Thread,     // the beginning and the end of a thread
  Everything  // meets every action of every other thread
};

enum class AccessMode : uint8_t { Observes, Changes };

struct Access {
  ResourceKind kind = ResourceKind::Memory;
  AccessMode mode = AccessMode::Observes;
  uint64_t begin = 0;  // address or thread number
  uint64_t end = 0;    // one past it
  // NOLINTNEXTLINE(modernize-use-nullptr): what the compiler makes of <=>
  auto operator<=>(const Access&) const = default;
};

class Accesses {
 public:
  static constexpr size_t kMost = 4;  // of one action

  void add(Access access) { list_[count_++] = access; }
  const Access* begin() const { return list_.data(); }
  const Access* end() const { return list_.data() + count_; }
  size_t size() const { return count_; }

 private:
  std::array<Access, kMost> list_{};
  size_t count_ = 0;
};

Accesses accesses_of(const Action& action);

bool conflict(const Access& a, const Access& b);

// Whether the action is dependent with all others.
bool meets_everything(const Action& action);

// Actions of the same thread are always dependent.
bool dependent(const Action& a, const Action& b);
// Whether they would be if compare-and-swaps succeed: for those who judge steps to come.
inline bool may_depend(const Action& a, const Action& b) {
  return dependent(regardless_of_outcome(a), regardless_of_outcome(b));
}

}  // namespace heddle
