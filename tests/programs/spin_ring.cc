// Two threads put a number each into a bounded queue for several producers and consumers (Vyukov),
// main takes both out, and all of them yield while they cannot. A loop inside another one, of which
// main goes round while others are half done: every search comes to its end, and knows it.
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// GUARANTEE: all executions, up to the order of independent steps
// RUN: --strategy=dpor
// RUN: --strategy=portfolio
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {

struct Queue {
  static constexpr uint64_t kSlots = 2;
  struct Slot {
    std::atomic<uint64_t> turn;
    int value;
  };
  Slot slots[kSlots];
  std::atomic<uint64_t> puts{0}, takes{0};

  Queue() {
    for (uint64_t i = 0; i < kSlots; ++i) slots[i].turn = i;
  }

  bool put(int value) {
    uint64_t at = puts.load(std::memory_order_relaxed);
    Slot* slot;
    for (;;) {
      slot = &slots[at % kSlots];
      const uint64_t turn = slot->turn.load(std::memory_order_acquire);
      const auto gap = static_cast<int64_t>(turn) - static_cast<int64_t>(at);
      if (gap < 0) return false;
      if (gap > 0)
        at = puts.load(std::memory_order_relaxed);
      else if (puts.compare_exchange_weak(at, at + 1, std::memory_order_relaxed))
        break;
    }
    slot->value = value;
    slot->turn.store(at + 1, std::memory_order_release);
    return true;
  }

  bool take(int& value) {
    uint64_t at = takes.load(std::memory_order_relaxed);
    Slot* slot;
    for (;;) {
      slot = &slots[at % kSlots];
      const uint64_t turn = slot->turn.load(std::memory_order_acquire);
      const auto gap = static_cast<int64_t>(turn) - static_cast<int64_t>(at + 1);
      if (gap < 0) return false;
      if (gap > 0)
        at = takes.load(std::memory_order_relaxed);
      else if (takes.compare_exchange_weak(at, at + 1, std::memory_order_relaxed))
        break;
    }
    value = slot->value;
    slot->turn.store(at + kSlots, std::memory_order_release);
    return true;
  }
};

}  // namespace

int main() {
  Queue queue;
  std::thread one([&] {
    while (!queue.put(1)) std::this_thread::yield();
  });
  std::thread two([&] {
    while (!queue.put(2)) std::this_thread::yield();
  });
  int sum = 0, value;
  for (int i = 0; i < 2; ++i) {
    while (!queue.take(value)) std::this_thread::yield();
    sum += value;
  }
  one.join();
  two.join();
  assert(sum == 3);
}
