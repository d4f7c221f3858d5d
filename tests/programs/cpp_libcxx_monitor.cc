// libc++'s functions for waiting, called as code calls them that was not compiled by heddle c++:
// what the monitor saw decides whether there is a reason to wait.
//
// FLAGS: -std=c++20
// LIBCXX: only
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DFORGET
// EXPECT: fail deadlock
// RUN: --strategy=dfs
// FLAGS: -DFORGET
// EXPECT: fail deadlock
// RUN: --strategy=dfs
// FLAGS: -DWORD
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DWORD -DALL
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DLOOK_FIRST
// EXPECT: fail deadlock
#include <atomic>
#include <thread>

#ifdef _LIBCPP_VERSION
#ifdef WORD
using Atomic = std::__cxx_atomic_contention_t;
#else
using Atomic = void;
#endif

static std::atomic<int> value;

int main() {
  auto* const place = reinterpret_cast<const volatile Atomic*>(&value);
  std::thread waiter([&] {
#ifdef LOOK_FIRST
    const bool set = value != 0;  // too early: a change after it goes unnoticed
    const int seen = std::__libcpp_atomic_monitor(place);
    if (!set) std::__libcpp_atomic_wait(place, seen);
#else
    for (;;) {
      const int seen = std::__libcpp_atomic_monitor(place);
      if (value != 0) break;
      std::__libcpp_atomic_wait(place, seen);
    }
#endif
  });
  value = 1;
#ifndef FORGET
#ifdef ALL
  std::__cxx_atomic_notify_all(place);
#else
  std::__cxx_atomic_notify_one(place);
#endif
#endif
  waiter.join();
}
#else
int main() {}
#endif
