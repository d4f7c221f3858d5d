#include "states/state_set.h"

#include <algorithm>
#include <utility>

namespace heddle {

StateSet::StateSet(uint64_t capacity)
    : slots_(capacity == 0 ? 64 : (capacity + kWays - 1) / kWays * kWays),
      bounded_(capacity != 0) {}

void StateSet::clear() {
  std::fill(slots_.begin(), slots_.end(), 0);
  size_ = 0;
}

// First place of a hash; hashes are sums, so they are mixed once more.
size_t StateSet::home(uint64_t hash) const {
  const uint64_t spread = mix(hash);
  return bounded_ ? spread % (slots_.size() / kWays) * kWays : spread & (slots_.size() - 1);
}

bool StateSet::contains(uint64_t hash) const {
  if (hash == 0) hash = 1;
  size_t at = home(hash);
  if (bounded_) return std::find(&slots_[at], &slots_[at] + kWays, hash) != &slots_[at] + kWays;
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
    if (slots_[at] == hash) return true;
  return false;
}

bool StateSet::insert(uint64_t hash) {
  if (hash == 0) hash = 1;
  if (bounded_) return insert_bounded(hash);
  if (2 * (size_ + 1) > slots_.size()) grow();
  size_t at = home(hash);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1))
    if (slots_[at] == hash) return false;
  slots_[at] = hash;
  ++size_;
  return true;
}

bool StateSet::insert_bounded(uint64_t hash) {
  uint64_t* first = &slots_[home(hash)];
  uint64_t* free = nullptr;
  for (uint64_t* way = first; way != first + kWays; ++way) {
    if (*way == hash) return false;
    if (*way == 0 && free == nullptr) free = way;
  }
  if (free != nullptr)
    ++size_;
  else
    free = first + replacements_++ % kWays;
  *free = hash;
  return true;
}

void StateSet::grow() {
  std::vector<uint64_t> old(slots_.size() * 2);
  std::swap(old, slots_);
  for (uint64_t hash : old) {
    if (hash == 0) continue;
    size_t at = home(hash);
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = hash;
  }
}

bool ExactStateSet::contains(uint64_t hash, const CanonicalState& state) const {
  const auto found = states_.find(hash);
  return found != states_.end() &&
         std::find(found->second.begin(), found->second.end(), state) != found->second.end();
}

bool ExactStateSet::insert(uint64_t hash, CanonicalState state) {
  std::vector<CanonicalState>& same_hash = states_[hash];
  if (std::find(same_hash.begin(), same_hash.end(), state) != same_hash.end()) return false;
  if (!same_hash.empty()) ++collisions_;
  same_hash.push_back(std::move(state));
  ++size_;
  return true;
}

}  // namespace heddle
