// A free list without locks. Between the look at the first node and the exchange, other threads may
// take that node and the next, and put the first back: the exchange succeeds and makes a node first
// that somebody owns.
//
//   ./heddle check examples/aba.cc            a node is owned twice
//   ./heddle check examples/aba.cc -DFIXED    correct: a count beside the pointer tells the visits
//   apart
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Node {
  std::atomic<uint32_t> next{0};  // number of a node, 0: none
  std::atomic<bool> owned{false};
};

static Node nodes[3];                // number 0 is nobody
static std::atomic<uint64_t> first;  // number of the first node, and how often it was changed

static uint64_t with_next_count(uint64_t old, uint32_t number) {
#ifdef FIXED
  return ((old >> 32) + 1) << 32 | number;
#else
  return (void)old, number;
#endif
}

static void put(uint32_t node) {
  uint64_t old = first;
  nodes[node].owned = false;
  do {
    nodes[node].next = static_cast<uint32_t>(old);
  } while (!first.compare_exchange_strong(old, with_next_count(old, node)));
}

// 0 if there is none.
static uint32_t take() {
  uint64_t old = first;
  uint32_t node = 0;
  do {
    node = static_cast<uint32_t>(old);
    if (node == 0) return 0;
  } while (!first.compare_exchange_strong(old, with_next_count(old, nodes[node].next)));
  const bool taken_before = nodes[node].owned.exchange(true);
  assert(!taken_before);
  return node;
}

static void take_one() {
  take();
}

static void take_two_and_return_the_first() {
  const uint32_t one = take();
  take();
  if (one != 0) put(one);
}

int main() {
  put(2);
  put(1);
  std::thread slow(take_one), quick(take_two_and_return_the_first);
  slow.join();
  quick.join();
  take();
}
