#include "toy/published.h"

#include <algorithm>

namespace heddle::toy {
namespace {

void append(Script& script, std::initializer_list<Instruction> piece) {
  script.insert(script.end(), piece);
}

void append(Script& script, const Script& piece) {
  script.insert(script.end(), piece.begin(), piece.end());
}

Program all_live(std::vector<Script> threads) {
  const auto count = static_cast<uint32_t>(threads.size());
  return {std::move(threads), count};
}

int32_t length(const Script& script) {
  return static_cast<int32_t>(script.size());
}

}  // namespace

Program filesystem(uint32_t threads) {
  constexpr uint32_t kBlocks = 26, kInodes = 32;
  const auto inode_lock = [](uint32_t i) { return i; };
  const auto block_lock = [](uint32_t b) { return kInodes + b; };
  std::vector<Script> scripts;
  for (uint32_t t = 0; t < threads; ++t) {
    const uint32_t inode = t % kInodes;
    // Searches for a free block from one on; variables: inodes, then whether blocks are busy.
    Script search;
    for (uint32_t tries = kBlocks; tries-- > 0;) {
      const uint32_t block = (inode * 2 + tries) % kBlocks;
      Script rest = std::move(search);
      search = {lock(block_lock(block)),
                load(1, kInodes + block),
                skip_unless(1, 0, 4),
                store(kInodes + block, 1),
                store(inode, static_cast<int32_t>(block + 1)),
                unlock(block_lock(block)),
                skip(1 + length(rest)),
                unlock(block_lock(block))};
      append(search, rest);
    }
    Script script = {lock(inode_lock(inode)), load(0, inode), skip_unless(0, 0, length(search))};
    append(script, search);
    append(script, {unlock(inode_lock(inode))});
    scripts.push_back(std::move(script));
  }
  return all_live(std::move(scripts));
}

Program indexer(uint32_t threads) {
  constexpr uint32_t kSlots = 128, kWords = 4, kTries = 8;
  std::vector<Script> scripts(threads);
  for (uint32_t t = 0; t < threads; ++t) {
    for (uint32_t m = 1; m <= kWords; ++m) {
      const uint32_t word = m * 11 + t;
      Script search;
      for (uint32_t tries = kTries; tries-- > 0;) {
        const uint32_t slot = (word * 7 + tries) % kSlots;
        Script rest = std::move(search);
        search = {lock(slot),           load(0, slot),
                  skip_unless(0, 0, 3), store(slot, static_cast<int32_t>(word)),
                  unlock(slot),         skip(1 + length(rest)),
                  unlock(slot)};
        append(search, rest);
      }
      append(scripts[t], search);
    }
  }
  return all_live(std::move(scripts));
}

Program readers(uint32_t readers, uint32_t writers) {
  std::vector<Script> scripts;
  for (uint32_t i = 1; i <= writers; ++i) scripts.push_back({store(0, static_cast<int32_t>(i))});
  for (uint32_t i = 0; i < readers; ++i) scripts.push_back({load(0, 0)});
  return all_live(std::move(scripts));
}

Program lastzero(uint32_t writers) {
  Script reader;
  for (uint32_t i = 0; i <= writers; ++i) {  // from the first element to the last, backwards
    Script rest = std::move(reader);
    reader = {load(0, i), skip_unless(0, 0, 1), skip(length(rest))};
    append(reader, rest);
  }
  std::vector<Script> scripts = {reader};
  for (uint32_t i = 1; i <= writers; ++i) scripts.push_back({load(0, i - 1), store_sum(i, 0, 1)});
  return all_live(std::move(scripts));
}

Program fib(uint32_t rounds) {
  // Sums cannot be formed of two registers, and need not be: only the accesses matter.
  Script one, other;
  for (uint32_t i = 0; i < rounds; ++i) {
    append(one, {load(0, 0), load(1, 1), store_sum(0, 0, 1)});
    append(other, {load(1, 1), load(0, 0), store_sum(1, 1, 1)});
  }
  return all_live({one, other});
}

Program philosophers(uint32_t philosophers, uint32_t rounds) {
  std::vector<Script> scripts(philosophers);
  for (uint32_t i = 0; i < philosophers; ++i) {
    const uint32_t left = i, right = (i + 1) % philosophers;
    const uint32_t low = std::min(left, right), high = std::max(left, right);
    for (uint32_t round = 0; round < rounds; ++round)
      append(scripts[i], {lock(low), lock(high), unlock(high), unlock(low)});
  }
  return all_live(std::move(scripts));
}

Program barrier(uint32_t threads, uint32_t steps) {
  constexpr uint32_t kInside = 0, kOpen = 1;
  const auto last = static_cast<int32_t>(threads) - 1;
  const Script arrive = {
      lock(0),  add(0, kInside, 1), skip_unless(0, last, 3), store(kOpen, 1), broadcast(0),
      skip(4),  load(1, kOpen),     skip_unless(1, 0, 2),    wait(0, 0),      skip(-4),
      unlock(0)};
  const Script leave = {
      lock(0),  add(0, kInside, -1), skip_unless(0, 1, 3), store(kOpen, 0), broadcast(0),
      skip(4),  load(1, kOpen),      skip_unless(1, 1, 2), wait(0, 0),      skip(-4),
      unlock(0)};
  Script walk;
  for (uint32_t i = 0; i < steps; ++i) {
    append(walk, arrive);
    append(walk, leave);
  }
  return all_live(std::vector<Script>(threads, walk));
}

Program thread_pool(uint32_t workers) {
  constexpr uint32_t kJobs = 0, kIdle = 1, kExiting = 2;
  const Script main = {
      lock(0),   store(kJobs, 1), load(0, kIdle),     skip_unless(0, 0, 1), skip(1),  signal(0),
      unlock(0), lock(0),         store(kExiting, 1), broadcast(0),         unlock(0)};
  const Script worker = {lock(0),
                         load(0, kJobs),
                         skip_unless(0, 0, 6),  // no job …
                         load(1, kExiting),
                         skip_unless(1, 0, 4),  // … and no end: wait, and look again
                         add(2, kIdle, 1),
                         wait(0, 0),
                         add(2, kIdle, -1),
                         skip(-8),
                         load(1, kExiting),
                         skip_unless(1, 1, 2),
                         unlock(0),
                         skip(3),
                         store(kJobs, 0),
                         unlock(0),
                         skip(-16)};
  std::vector<Script> scripts = {main};
  scripts.resize(1 + workers, worker);
  return all_live(std::move(scripts));
}

}  // namespace heddle::toy
