#include "strategies/work_queue.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace heddle {
namespace {

TEST(ByteQueue, GivesBackWhatItWasGivenAndReleasesIt) {
  ByteQueue queue;
  constexpr size_t kBytes = 5 * ByteQueue::kChunkSize + 17;
  for (size_t i = 0; i < kBytes; ++i) queue.push(static_cast<uint8_t>(i * 7));
  EXPECT_EQ(queue.size(), kBytes);
  EXPECT_EQ(queue.chunks(), 6u);
  for (size_t i = 0; i < kBytes; ++i) {
    ASSERT_EQ(queue.pop(), static_cast<uint8_t>(i * 7));
    ASSERT_LE(queue.chunks(), 6 - (i + 1) / ByteQueue::kChunkSize);
  }
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.chunks(), 0u);
}

TEST(ByteQueue, CanBeFilledAndEmptiedInTurns) {
  ByteQueue queue;
  Random random(3);
  uint64_t pushed = 0, popped = 0;
  for (int round = 0; round < 200; ++round) {
    for (uint64_t n = random.below(5000); n > 0; --n) queue.push(static_cast<uint8_t>(pushed++));
    for (uint64_t n = random.below(5500); n > 0 && !queue.empty(); --n)
      ASSERT_EQ(queue.pop(), static_cast<uint8_t>(popped++));
    ASSERT_EQ(queue.size(), pushed - popped);
  }
}

TEST(ByteQueue, KeepsNumbersOfAllSizes) {
  ByteQueue queue;
  for (unsigned shift = 0; shift < 64; ++shift) queue.push_number((uint64_t{1} << shift) - 1);
  queue.push_number(~uint64_t{0});
  for (unsigned shift = 0; shift < 64; ++shift)
    EXPECT_EQ(queue.pop_number(), (uint64_t{1} << shift) - 1);
  EXPECT_EQ(queue.pop_number(), ~uint64_t{0});
  EXPECT_TRUE(queue.empty());
}

WorkBundle random_bundle(Random& random) {
  WorkBundle bundle;
  for (uint64_t steps = random.below(40); steps > 0; --steps)
    bundle.path.push_back({ThreadId{static_cast<uint32_t>(random.below(3))},
                           random.below(8) == 0 ? static_cast<uint32_t>(random.below(300)) : 0});
  const size_t length = bundle.path.size();
  for (uint64_t n = 1 + random.below(20); n > 0; --n)
    bundle.branches.push_back({static_cast<uint32_t>(random.below(length + 1)),
                               {ThreadId{static_cast<uint32_t>(random.below(500))}, 0}});
  std::sort(bundle.branches.begin(), bundle.branches.end(),
            [](const Branch& a, const Branch& b) { return a.depth < b.depth; });
  return bundle;
}

TEST(WorkQueue, GivesBackBundlesInOrder) {
  Random random(5);
  WorkQueue queue;
  std::vector<WorkBundle> bundles;
  for (int i = 0; i < 1000; ++i) {
    bundles.push_back(random_bundle(random));
    bundles.back().preemptions = static_cast<uint32_t>(i);
    queue.push(bundles.back().path, bundles.back().branches, bundles.back().preemptions);
  }
  WorkBundle got;
  for (const WorkBundle& expected : bundles) {
    ASSERT_FALSE(queue.empty());
    queue.pop(got);
    EXPECT_EQ(got.preemptions, expected.preemptions);
    ASSERT_EQ(got.branches.size(), expected.branches.size());
    ASSERT_EQ(got.path.size(), expected.branches.back().depth);  // no more than is needed
    ASSERT_TRUE(std::equal(got.path.begin(), got.path.end(), expected.path.begin()));
    for (size_t i = 0; i < got.branches.size(); ++i) {
      EXPECT_EQ(got.branches[i].depth, expected.branches[i].depth);
      EXPECT_EQ(got.branches[i].transition, expected.branches[i].transition);
    }
  }
  EXPECT_TRUE(queue.empty());
}

TEST(WorkQueue, IsCompact) {
  WorkQueue queue;
  const Schedule path(1000, Transition{});
  const std::vector<Branch> branches(100, Branch{1000, {ThreadId{1}, 0}});
  queue.push(path, branches, 1);
  EXPECT_LT(queue.bytes(), 210u);
}

}  // namespace
}  // namespace heddle
