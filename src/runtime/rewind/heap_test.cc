// The program's heap against a model of it: which bytes belong to whom.
#include "runtime/rewind/heap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "runtime/guest/layout.h"

namespace heddle {
namespace {

uint64_t number(const void* block) {
  return reinterpret_cast<uint64_t>(block);
}

// A heap has fixed addresses: the one before has to go.
void initialise(Heap& heap, bool checks) {
  constexpr uint64_t kBytes = kMaxThreads * kHeapSlotBytes;
  for (const auto& [begin, bytes] :
       {std::pair(kHeapBase, kBytes), std::pair(kHeapBase + kHeapMetaDistance, kBytes),
        std::pair(kHeapShadowBase, kBytes / 8)})
    munmap(reinterpret_cast<void*>(begin), bytes);
  heap.initialise(checks);
}

struct Live {
  uint64_t bytes;
  unsigned char fill;
};

// One heap and what it should hold.
class Modelled {
 public:
  explicit Modelled(bool checks) { initialise(heap, checks); }

  void* allocate(ThreadId thread, uint64_t bytes, uint64_t alignment) {
    void* block = heap.allocate(thread, bytes, alignment);
    EXPECT_NE(block, nullptr);
    EXPECT_EQ(number(block) % alignment, 0u);
    EXPECT_FALSE(overlaps(number(block), std::max<uint64_t>(bytes, 1)));
    EXPECT_GE(heap.capacity_of(block), bytes);
    EXPECT_EQ(heap.size_of(block), bytes);
    const auto fill = static_cast<unsigned char>(++fills_);
    memset(block, fill, bytes);
    live[number(block)] = {bytes, fill};
    freed.erase(number(block));
    return block;
  }

  void release(ThreadId thread, uint64_t block) {
    EXPECT_TRUE(is_intact(block));
    EXPECT_TRUE(heap.is_live(reinterpret_cast<void*>(block)));
    EXPECT_EQ(heap.release(thread, reinterpret_cast<void*>(block)), FreeResult::Freed);
    live.erase(block);
    freed.insert(block);
  }

  bool is_intact(uint64_t block) const {
    const Live& known = live.at(block);
    const auto* bytes = reinterpret_cast<const unsigned char*>(block);
    return std::all_of(bytes, bytes + known.bytes,
                       [&](unsigned char byte) { return byte == known.fill; });
  }

  bool overlaps(uint64_t begin, uint64_t bytes) const {
    auto next = live.lower_bound(begin);
    if (next != live.end() && next->first < begin + bytes) return true;
    if (next == live.begin()) return false;
    --next;
    return next->first + next->second.bytes > begin;
  }

  Heap heap;
  std::map<uint64_t, Live> live;
  std::set<uint64_t> freed;

 private:
  int fills_ = 0;
};

uint64_t random_size(Random& random) {
  switch (random.below(8)) {
    case 0:
      return random.below(4);
    case 1:
      return 60'000 + random.below(20'000);
    case 2:
      return 1 + random.below(300'000);
    default:
      return 1 + random.below(600);
  }
}

class HeapTest : public testing::TestWithParam<bool> {};

TEST_P(HeapTest, BlocksAreApartAndKnown) {
  Modelled m(GetParam());
  Random random(7);
  for (int step = 0; step < 4000; ++step) {
    const ThreadId thread{static_cast<uint32_t>(random.below(3))};
    if (m.live.empty() || random.below(5) < 3) {
      m.allocate(thread, random_size(random), random.below(6) == 0 ? 64 : 16);
      continue;
    }
    auto chosen = m.live.begin();
    std::advance(chosen, static_cast<long>(random.below(m.live.size())));
    const uint64_t block = chosen->first,
                   inside = block + random.below(std::max<uint64_t>(chosen->second.bytes, 1));
    const HeapBlock found = m.heap.find_block(inside);
    ASSERT_EQ(found.begin, block);
    ASSERT_EQ(found.bytes, chosen->second.bytes);
    ASSERT_FALSE(found.freed);
    m.release(thread, block);
    ASSERT_EQ(m.heap.release(thread, reinterpret_cast<void*>(block)), FreeResult::AlreadyFree);
    ASSERT_EQ(m.heap.release(thread, reinterpret_cast<void*>(block + 8)), FreeResult::NotABlock);
    ASSERT_TRUE(m.heap.find_block(block).freed);
  }
  for (const auto& [block, known] : m.live) ASSERT_TRUE(m.is_intact(block));
}

TEST_P(HeapTest, AddressesDependOnTheThreadsOwnHistoryAlone) {
  auto addresses = [&](uint64_t order) {
    Heap heap;
    initialise(heap, GetParam());
    std::vector<std::vector<uint64_t>> seen(3);
    std::vector<Random> sizes{Random(1), Random(2), Random(3)};
    Random interleaving(order);
    while (std::any_of(seen.begin(), seen.end(), [](auto& s) { return s.size() < 300; })) {
      const auto thread = static_cast<uint32_t>(interleaving.below(3));
      if (seen[thread].size() == 300) continue;
      void* block = heap.allocate(ThreadId{thread}, random_size(sizes[thread]));
      seen[thread].push_back(number(block));
      if (sizes[thread].below(2) == 0) heap.release(ThreadId{thread}, block);
    }
    return seen;
  };
  EXPECT_EQ(addresses(1), addresses(2));
}

TEST_P(HeapTest, AResetForgetsAndTheNextExecutionSeesZeros) {
  Modelled m(GetParam());
  void* before_main = m.allocate(kMainThread, 1000, 16);
  m.heap.round_up_baseline();
  m.heap.take_baseline(nullptr);
  std::vector<uint64_t> first;
  for (int execution = 0; execution < 50; ++execution) {
    Random random(3);
    std::vector<uint64_t> seen;
    for (int i = 0; i < 60; ++i) {
      const ThreadId thread{static_cast<uint32_t>(random.below(2))};
      const uint64_t bytes = random_size(random);
      auto* block = static_cast<unsigned char*>(m.heap.allocate(thread, bytes));
      seen.push_back(number(block));
      ASSERT_TRUE(std::all_of(block, block + bytes, [](unsigned char byte) { return byte == 0; }))
          << "execution " << execution << ", block " << i;
      memset(block, 0xee, bytes);
    }
    EXPECT_TRUE(m.heap.has_blocks());
    if (execution == 0) first = seen;
    ASSERT_EQ(seen, first);
    m.heap.reset();
    EXPECT_FALSE(m.heap.has_blocks());
    EXPECT_FALSE(m.heap.is_live(reinterpret_cast<void*>(first[0])));
    ASSERT_TRUE(m.heap.is_live(before_main));
    ASSERT_TRUE(m.is_intact(number(before_main)));
  }
}

TEST_P(HeapTest, ZeroedBlocksAreZeroThoughTheyWereUsedBefore) {
  Heap heap;
  initialise(heap, GetParam());
  for (int i = 0; i < 5000; ++i) {
    auto* block = static_cast<unsigned char*>(heap.allocate_zeroed(kMainThread, 777));
    ASSERT_TRUE(std::all_of(block, block + 777, [](unsigned char byte) { return byte == 0; }));
    memset(block, 0xee, 777);
    heap.release(kMainThread, block);
  }
}

TEST_P(HeapTest, WhatNothingRefersToIsLost) {
  Modelled m(GetParam());
  m.heap.take_baseline(nullptr);
  Random random(11);
  for (int round = 0; round < 40; ++round) {
    // A random graph: which blocks hold a pointer to which.
    std::vector<void**> blocks;
    std::vector<std::vector<size_t>> edges(30);
    for (size_t i = 0; i < edges.size(); ++i) {
      const uint64_t bytes = random.below(6) == 0 ? 90'000 : 64;
      blocks.push_back(static_cast<void**>(
          m.heap.allocate(ThreadId{static_cast<uint32_t>(random.below(2))}, bytes)));
    }
    for (size_t i = 0; i < edges.size(); ++i)
      for (uint64_t word = random.below(3); word-- > 0;) {
        edges[i].push_back(random.below(edges.size()));
        auto* inside = reinterpret_cast<char*>(blocks[edges[i].back()]) + random.below(64);
        blocks[i][word + random.below(6)] = inside;
        // Another may have been there: what counts is what is there in the end.
      }
    void* root = blocks[0];
    std::set<size_t> reached{0};
    for (std::vector<size_t> todo{0}; !todo.empty();) {
      const size_t at = todo.back();
      todo.pop_back();
      for (size_t word = 0; word < 8; ++word)
        for (size_t other = 0; other < blocks.size(); ++other) {
          const uint64_t value = number(blocks[at][word]), begin = number(blocks[other]);
          if (value >= begin && value < begin + 64 && reached.insert(other).second)
            todo.push_back(other);
        }
    }
    m.heap.mark_from(number(&root), number(&root + 1));
    ASSERT_EQ(m.heap.unmarked().blocks, blocks.size() - reached.size()) << "round " << round;
    m.heap.reset();
  }
}

INSTANTIATE_TEST_SUITE_P(All, HeapTest, testing::Bool(), [](const auto& checks) {
  return checks.param ? "WithChecks" : "WithoutChecks";
});

TEST(CheckedHeapTest, ExactlyTheBytesOfLiveBlocksMayBeAccessed) {
  Modelled m(true);
  Random random(5);
  for (int step = 0; step < 600; ++step) {
    if (m.live.empty() || random.below(3) > 0)
      m.allocate(kMainThread, random_size(random), 16);
    else
      m.release(kMainThread, m.live.begin()->first);
  }
  for (const auto& [block, known] : m.live) {
    if (known.bytes == 0) continue;
    EXPECT_TRUE(m.heap.may_access(block, known.bytes));
    EXPECT_TRUE(m.heap.may_access(block + known.bytes - 1, 1));
    EXPECT_FALSE(m.heap.may_access(block, known.bytes + 1));
    EXPECT_FALSE(m.heap.may_access(block + known.bytes, 1));
    for (int i = 0; i < 20; ++i) {
      const uint64_t from = random.below(known.bytes + 16), bytes = 1 + random.below(40);
      EXPECT_EQ(m.heap.may_access(block + from, bytes), from + bytes <= known.bytes);
    }
  }
  for (uint64_t block : m.freed) EXPECT_FALSE(m.heap.may_access(block, 1));
}

TEST(CheckedHeapTest, FreedBlocksAreNotUsedAgainForAWhile) {
  Heap heap;
  initialise(heap, true);
  std::set<uint64_t> seen;
  for (int i = 0; i < 200; ++i) {
    void* block = heap.allocate(kMainThread, 1000);
    EXPECT_TRUE(seen.insert(number(block)).second) << "after " << i;
    heap.release(kMainThread, block);
  }
  bool comes_back = false;
  for (int i = 0; i < 2000; ++i) {
    void* block = heap.allocate(kMainThread, 1000);
    comes_back = comes_back || !seen.insert(number(block)).second;
    heap.release(kMainThread, block);
  }
  EXPECT_TRUE(comes_back);
}

TEST(CheckedHeapTest, KeptBlocksAreNeverLostAndSizesCanChange) {
  Heap heap;
  initialise(heap, true);
  heap.take_baseline(nullptr);
  void* kept = heap.allocate(kMainThread, 100);
  heap.keep(kept);
  heap.set_size(kept, 50);
  EXPECT_EQ(heap.unmarked().blocks, 0u);
  EXPECT_TRUE(heap.may_access(number(kept), 50));
  EXPECT_FALSE(heap.may_access(number(kept), 51));
  heap.set_kind(kept, BlockKind::NewArray);
  EXPECT_EQ(heap.kind_of(kept), BlockKind::NewArray);
}

TEST(HeapOfManyTest, WhatIsTooLargeIsRefused) {
  Heap heap;
  initialise(heap, true);
  EXPECT_EQ(heap.allocate(kMainThread, 3ull << 30), nullptr);
  EXPECT_EQ(heap.allocate_zeroed(kMainThread, ~0ull), nullptr);
  EXPECT_NE(heap.allocate(kMainThread, 1ull << 30), nullptr);
  EXPECT_EQ(heap.allocate(kMainThread, 1500ull << 20), nullptr) << "the thread's part is used up";
  EXPECT_NE(heap.allocate(ThreadId{1}, 1500ull << 20), nullptr);
}

// What was allocated before main is brought back by the page tracker.
PageTracker* g_pages = nullptr;

TEST(HeapBaselineTest, BlocksOfBeforeMainAreAsTheyWere) {
  PageTracker pages;
  pages.initialise();
  g_pages = &pages;
  struct sigaction action = {}, before = {};
  action.sa_sigaction = [](int, siginfo_t* info, void*) {
    if (!g_pages->handle_write_fault(number(info->si_addr))) signal(SIGSEGV, SIG_DFL);
  };
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, &before);
  {
    Modelled m(true);
    std::vector<uint64_t> blocks;
    Random random(9);
    for (int i = 0; i < 50; ++i)
      blocks.push_back(number(m.allocate(kMainThread, random_size(random), 16)));
    for (int i = 0; i < 10; ++i) m.release(kMainThread, blocks[static_cast<size_t>(i)]);
    m.heap.round_up_baseline();
    m.heap.take_baseline(&pages);
    const std::map<uint64_t, Live> then = m.live;
    for (int execution = 0; execution < 30; ++execution) {
      for (const auto& [block, known] : then) {
        if (random.below(3) != 0) continue;
        memset(reinterpret_cast<void*>(block), 0x77, known.bytes);
        if (random.below(2) == 0) continue;
        EXPECT_EQ(m.heap.release(ThreadId{1}, reinterpret_cast<void*>(block)), FreeResult::Freed);
      }
      m.heap.reset();
      pages.restore();
      for (const auto& [block, known] : then) {
        ASSERT_TRUE(m.heap.is_live(reinterpret_cast<void*>(block)));
        ASSERT_TRUE(m.is_intact(block));
        ASSERT_TRUE(m.heap.may_access(block, known.bytes));
      }
    }
  }
  sigaction(SIGSEGV, &before, nullptr);
}

}  // namespace
}  // namespace heddle
