#include "orders/orientations.h"

#include <bit>
#include <utility>

namespace heddle::orders {
namespace {

class Orientations {
 public:
  Orientations(const Conflicts& conflicts, const WithOrder& with)
      : conflicts_(conflicts),
        with_(with),
        words_((conflicts.nodes + 63) / 64),
        before_(size_t{conflicts.nodes} * words_) {
    for (const auto& [first, second] : conflicts.fixed) add(first, second);
  }

  uint64_t count() {
    from(0);
    return count_;
  }

 private:
  bool is_before(uint32_t a, uint32_t b) const {
    return (before_[size_t{b} * words_ + a / 64] >> (a % 64) & 1) != 0;
  }

  // a and all before it come before b and all after it.
  void add(uint32_t a, uint32_t b) {
    for (uint32_t node = 0; node < conflicts_.nodes; ++node) {
      if (node != b && !is_before(b, node)) continue;
      for (size_t word = 0; word < words_; ++word) {
        before_[size_t{node} * words_ + word] |= before_[size_t{a} * words_ + word];
      }
      before_[size_t{node} * words_ + a / 64] |= uint64_t{1} << (a % 64);
    }
  }

  bool from(size_t pair) {
    while (pair < conflicts_.pairs.size()) {
      const auto [a, b] = conflicts_.pairs[pair];
      if (!is_before(a, b) && !is_before(b, a)) break;
      ++pair;
    }
    if (pair == conflicts_.pairs.size()) {
      ++count_;
      return with_(order());
    }
    const auto [a, b] = conflicts_.pairs[pair];
    const std::vector<uint64_t> saved = before_;
    add(a, b);
    if (!from(pair + 1)) return false;
    before_ = saved;
    add(b, a);
    if (!from(pair + 1)) return false;
    before_ = saved;
    return true;
  }

  // With the whole relation at hand: the next is the smallest node all of whose predecessors are
  // placed.
  std::vector<uint32_t> order() const {
    std::vector<uint32_t> placed;
    std::vector<uint64_t> done(words_);
    while (placed.size() < conflicts_.nodes) {
      for (uint32_t node = 0; node < conflicts_.nodes; ++node) {
        if ((done[node / 64] >> (node % 64) & 1) != 0 || !ready(node, done)) continue;
        done[node / 64] |= uint64_t{1} << (node % 64);
        placed.push_back(node);
        break;
      }
    }
    return placed;
  }

  bool ready(uint32_t node, const std::vector<uint64_t>& done) const {
    for (size_t word = 0; word < words_; ++word) {
      if ((before_[size_t{node} * words_ + word] & ~done[word]) != 0) return false;
    }
    return true;
  }

  const Conflicts& conflicts_;
  const WithOrder& with_;
  size_t words_;
  std::vector<uint64_t> before_;  // a row of bits for each node: who comes before it
  uint64_t count_ = 0;
};

}  // namespace

uint64_t for_each_orientation(const Conflicts& conflicts, const WithOrder& with) {
  return Orientations(conflicts, with).count();
}

}  // namespace heddle::orders
