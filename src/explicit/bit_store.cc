// Bitstate hashing (Holzmann's supertrace): three bits in a field of fixed size stand for a state.
// A state all of whose bits are set already is taken for one that was there.
#include <cmath>
#include <vector>

#include "base/check.h"
#include "explicit/hash.h"
#include "explicit/store.h"

namespace heddle::explicit_states {
namespace {

constexpr uint32_t kBitsPerState = 3;

class BitStore final : public StateStore {
 public:
  BitStore(const StateSpace& space, size_t bytes)
      : state_size_(space.state_size()), words_(std::max<size_t>(bytes / 8, 1)) {}

  Arrival insert(const uint8_t* state) override {
    uint64_t at = hash_bytes(state, state_size_, 0x2545f4914f6cdd1d);
    const uint64_t step = hash_bytes(state, state_size_, 0x9fb21c651e98df25) | 1;
    bool is_new = false;
    for (uint32_t i = 0; i < kBitsPerState; ++i, at += step) {
      const auto bit =
          static_cast<uint64_t>(static_cast<unsigned __int128>(at) * words_.size() * 64 >> 64);
      const uint64_t mask = uint64_t{1} << (bit % 64);
      is_new |= (words_[bit / 64] & mask) == 0;
      words_[bit / 64] |= mask;
    }
    if (is_new) {
      // The share of the field that was set decides how likely the next is missed.
      omissions_ += std::pow(
          static_cast<double>(count_) * kBitsPerState / (static_cast<double>(words_.size()) * 64),
          kBitsPerState);
      ++count_;
    }
    return {.key = StateKey{0}, .is_new = is_new, .open = false};
  }

  void close(StateKey) override {}
  bool knows_open() const override { return false; }
  bool restores() const override { return false; }
  void restore(StateKey, uint8_t*) override { HEDDLE_CHECK(restores()); }
  uint64_t size() const override { return count_; }
  size_t bytes() const override { return words_.size() * 8; }
  size_t bytes_with(size_t) const override { return bytes(); }
  double expected_omissions() const override { return omissions_; }

 private:
  size_t state_size_;
  std::vector<uint64_t> words_;
  uint64_t count_ = 0;
  double omissions_ = 0;
};

}  // namespace

std::unique_ptr<StateStore> make_bit_store(const StateSpace& space, size_t bytes) {
  return std::make_unique<BitStore>(space, bytes);
}

}  // namespace heddle::explicit_states
