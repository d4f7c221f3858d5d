// Hash compaction (Wolper and Leroy): of each state only a hash is kept, here 63 bits of it, in a
// flat table at most seven eighths full. Two states with the same hash are taken for one; with n
// states, n² / 2⁶⁴ such pairs are to be expected: 0.0005 for 10⁸.
#include <vector>

#include "base/check.h"
#include "explicit/hash.h"
#include "explicit/store.h"

namespace heddle::explicit_states {
namespace {

constexpr uint64_t kOpen = 1;  // the lowest bit of an entry; an entry of 0 is empty

class HashStore final : public StateStore {
 public:
  explicit HashStore(const StateSpace& space) : state_size_(space.state_size()), slots_(1024) {}

  Arrival insert(const uint8_t* state) override {
    if ((count_ + 1) * 8 > slots_.size() * 7) grow();
    uint64_t hash = hash_bytes(state, state_size_, 0x5851f42d4c957f2d) & ~kOpen;
    if (hash == 0) hash = 2;
    uint64_t& slot = find(hash);
    if (slot == 0) {
      slot = hash | kOpen;
      ++count_;
      return {.key = StateKey{hash}, .is_new = true, .open = false};
    }
    return {.key = StateKey{hash}, .is_new = false, .open = (slot & kOpen) != 0};
  }

  void close(StateKey key) override { find(static_cast<uint64_t>(key)) &= ~kOpen; }
  bool knows_open() const override { return true; }
  bool restores() const override { return false; }
  void restore(StateKey, uint8_t*) override { HEDDLE_CHECK(restores()); }
  uint64_t size() const override { return count_; }
  size_t bytes() const override { return slots_.size() * sizeof(uint64_t); }
  size_t bytes_with(size_t more) const override {
    const bool grows = (count_ + more) * 8 > slots_.size() * 7;
    return bytes() + (grows ? grown() * sizeof(uint64_t) : 0);
  }
  double expected_omissions() const override {
    const auto n = static_cast<double>(count_);
    return n * n / 0x1p64;
  }

 private:
  // Not by doubling: for a while both tables are there.
  size_t grown() const { return slots_.size() + slots_.size() / 2; }

  size_t place(uint64_t hash) const {
    return static_cast<size_t>(static_cast<unsigned __int128>(hash) * slots_.size() >> 64);
  }
  uint64_t& find(uint64_t hash) {
    size_t at = place(hash);
    while (slots_[at] != 0 && (slots_[at] & ~kOpen) != hash) {
      if (++at == slots_.size()) at = 0;
    }
    return slots_[at];
  }
  void grow() {
    std::vector<uint64_t> old(grown());
    old.swap(slots_);
    for (const uint64_t entry : old) {
      if (entry != 0) find(entry & ~kOpen) = entry;
    }
  }

  size_t state_size_;
  std::vector<uint64_t> slots_;
  uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<StateStore> make_hash_store(const StateSpace& space) {
  return std::make_unique<HashStore>(space);
}

}  // namespace heddle::explicit_states
