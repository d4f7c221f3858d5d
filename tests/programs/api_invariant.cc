// Invariants hold in every state between two steps, or they are findings by name.
//
// FLAGS: -std=c++17
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=dfs --filter=seen
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DBROKEN
// EXPECT: fail invariant
// MESSAGE: the invariant "the sum stays" does not hold
// LOCATION: api_invariant.cc
// FINDINGS: 1
// RUN: --strategy=dfs --filter=seen --keep-going
// FLAGS: -DBROKEN
// EXPECT: fail invariant
// FINDINGS: 1
// RUN: --strategy=random
// FLAGS: -DBROKEN
// EXPECT: fail invariant
// RUN: --strategy=portfolio
// FLAGS: -DBROKEN
// EXPECT: fail invariant
// RUN: --strategy=optimal-dpor
// EXPECT: unsupported invariant
// RUN: --strategy=dfs --filter=super-step
// EXPECT: unsupported invariant
// RUN: --strategy=icb
// FLAGS: -DAT_THE_END
// EXPECT: fail invariant
// MESSAGE: all is zero at the end
// RUN: --strategy=icb
// FLAGS: -DLOCKS
// EXPECT: unsupported invariant
// RUN: --strategy=icb
// FLAGS: -DFROM_CONSTRUCTOR -DBROKEN
// EXPECT: fail invariant
#include <heddle/heddle.h>

#include <atomic>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::atomic<int> left{10}, right{0};
static int at_the_end;

static int zero(void* counter) {
  return *static_cast<int*>(counter) == 0;
}

static int sum_stays(void*) {
  return left + right == 10;
}

static void move(int amount) {
  std::lock_guard lock(mutex);
#ifdef BROKEN
  left -= amount;
  right += amount;
#else
  heddle::choose({1});
  right = right + amount;  // the invariant below allows for the moment in between
  left = left - amount;
#endif
}

#ifdef FROM_CONSTRUCTOR
static const bool registered = [] {
  heddle_invariant("the sum stays", sum_stays, nullptr);
  return true;
}();
#endif

int main() {
#ifdef FROM_CONSTRUCTOR
  heddle_assert(registered);
#elif defined BROKEN
  heddle_invariant("the sum stays", sum_stays, nullptr);
#elif defined AT_THE_END
  heddle_invariant("all is zero at the end", zero, &at_the_end);
#elif defined LOCKS
  heddle::invariant locks("one that locks", [] {
    std::lock_guard lock(mutex);
    return heddle_choose(2) == 0;
  });
#else
  heddle_invariant(
      "never more than one on the way",
      [](void*) -> int { return left + right >= 10 && left + right <= 11; }, nullptr);
  {
    heddle::invariant never_evaluated("gone before it matters", [] { return false; });
  }
#endif
  std::thread one(move, 1), two(move, 1);
  one.join();
  two.join();
#ifdef AT_THE_END
  at_the_end = 1;
#endif
  (void)zero;
  (void)sum_stays;
  (void)at_the_end;
}
