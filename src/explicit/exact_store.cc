// States as trees of pairs.
//
// Most of a state is the same as in the state before: a step changes the thread that takes it and
// a cell or two. So a state is cut into components, one for each thread and one for each few cells,
// and every different content of a component is kept once and has a number (the collapse
// compression of SPIN). The tuple of numbers that is left is compressed in the same way again: two
// neighbours make a pair, every different pair is kept once and has a number, and so on up to one
// pair for the whole state (as LTSmin's tree tables do). What is added for a new state is mostly
// its last pair: 8 bytes, and 11 to 21 in the table of them; one bit says whether it is open.
//
// insert() remembers the components and pairs of the state it saw last and looks up only what
// differs from that one.
#include <algorithm>
#include <cstring>
#include <vector>

#include "explicit/chunks.h"
#include "explicit/hash.h"
#include "explicit/index_table.h"
#include "explicit/store.h"

namespace heddle::explicit_states {
namespace {

// Strings of bytes of one length, each once, with numbers.
class Contents {
 public:
  explicit Contents(uint32_t size) : size_(size) {}

  uint32_t number_of(const uint8_t* bytes) {
    const uint32_t there = table_.find_or_add(
        hash_bytes(bytes, size_, 0), count_,
        [&](uint32_t index) { return std::memcmp(at(index), bytes, size_) == 0; });
    if (there != IndexTable::kNone) return there;
    bytes_.insert(bytes_.end(), bytes, bytes + size_);
    return count_++;
  }

  const uint8_t* at(uint32_t number) const { return bytes_.data() + size_t{number} * size_; }
  size_t bytes() const { return bytes_.capacity() + table_.bytes(); }
  size_t bytes_with(size_t more) const {
    const size_t needed = bytes_.size() + more * size_;
    const size_t grown = needed > bytes_.capacity() ? 2 * bytes_.capacity() + more * size_ : 0;
    return bytes_.capacity() + grown + table_.bytes_with(more);
  }

 private:
  uint32_t size_;
  uint32_t count_ = 0;
  std::vector<uint8_t> bytes_;
  IndexTable table_;
};

struct Pair {
  uint32_t left = 0;
  uint32_t right = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};

class Pairs {
 public:
  struct Found {
    uint32_t number;
    bool is_new;
  };
  Found number_of(Pair pair) {
    const auto count = static_cast<uint32_t>(pairs_.size());
    const uint32_t there =
        table_.find_or_add(hash_pair(pair.left, pair.right), count,
                           [&](uint32_t index) { return pairs_[index] == pair; });
    if (there != IndexTable::kNone) return {there, false};
    pairs_.push_back(pair);
    return {count, true};
  }

  Pair at(uint32_t number) const { return pairs_[number]; }
  uint64_t size() const { return pairs_.size(); }
  size_t bytes() const { return pairs_.bytes() + table_.bytes(); }
  size_t bytes_with(size_t more) const {
    return pairs_.bytes() + more * sizeof(Pair) + table_.bytes_with(more);
  }

 private:
  Chunks<Pair> pairs_;
  IndexTable table_;
};

class ExactStore final : public StateStore {
 public:
  explicit ExactStore(const StateSpace& space) : last_(space.state_size()) {
    cut(space);
    // Nodes in the order of a heap: node i has the children 2i and 2i + 1; the leaves come last.
    leaves_ = static_cast<uint32_t>(components_.size());
    pairs_.resize(leaves_);
    numbers_.resize(size_t{2} * leaves_);
    changed_.resize(size_t{2} * leaves_);
  }

  Arrival insert(const uint8_t* state) override {
    if (!look_up(state)) {
      const StateKey key{numbers_[1]};
      return {.key = key, .is_new = false, .open = is_open(numbers_[1])};
    }
    const Pairs::Found found = pairs_[1].number_of({numbers_[2], numbers_[3]});
    numbers_[1] = found.number;
    if (!found.is_new) {
      return {.key = StateKey{found.number}, .is_new = false, .open = is_open(found.number)};
    }
    if (found.number % 64 == 0) open_.push_back(0);
    open_[found.number / 64] |= uint64_t{1} << (found.number % 64);
    return {.key = StateKey{found.number}, .is_new = true, .open = false};
  }

  void close(StateKey key) override {
    const auto number = static_cast<uint64_t>(key);
    open_[number / 64] &= ~(uint64_t{1} << (number % 64));
  }
  bool knows_open() const override { return true; }
  bool restores() const override { return true; }

  void restore(StateKey key, uint8_t* state) override {
    numbers_[1] = static_cast<uint32_t>(key);
    for (uint32_t node = 1; node < leaves_; ++node) {
      const Pair pair = pairs_[node].at(numbers_[node]);
      numbers_[2 * node] = pair.left;
      numbers_[2 * node + 1] = pair.right;
    }
    for (uint32_t leaf = 0; leaf < leaves_; ++leaf) {
      const Component& component = components_[leaf];
      const uint8_t* content = component.contents.at(numbers_[leaves_ + leaf]);
      std::memcpy(last_.data() + component.offset, content, component.size);
    }
    std::copy(last_.begin(), last_.end(), state);
    has_last_ = true;
  }

  uint64_t size() const override { return pairs_[1].size(); }

  size_t bytes() const override {
    size_t sum = open_.bytes();
    for (const Pairs& pairs : pairs_) sum += pairs.bytes();
    for (const Component& component : components_) sum += component.contents.bytes();
    return sum;
  }

  size_t bytes_with(size_t more) const override {
    size_t sum = open_.bytes();
    for (const Pairs& pairs : pairs_) sum += pairs.bytes_with(more);
    for (const Component& component : components_) sum += component.contents.bytes_with(more);
    return sum;
  }

 private:
  struct Component {
    uint32_t offset;
    uint32_t size;
    Contents contents;
  };

  void add_component(uint32_t begin, uint32_t end) {
    if (begin == end) return;
    components_.push_back({begin, end - begin, Contents(end - begin)});
  }

  // Threads are components of their own; what lies between them is cut into pieces of at most 16
  // bytes, where cells begin if there are any.
  void cut(const StateSpace& space) {
    constexpr uint32_t kPiece = 16;
    const auto size = static_cast<uint32_t>(space.state_size());
    std::vector<bool> in_thread(size);
    std::vector<bool> may_cut(size + 1, false);
    may_cut[0] = may_cut[size] = true;
    for (const StateLayout::Span& span : space.layout().threads) {
      std::fill_n(in_thread.begin() + span.offset, span.size, true);
      may_cut[span.offset] = may_cut[span.offset + span.size] = true;
    }
    for (const StateLayout::CellLayout& cell : space.layout().cells) {
      may_cut[cell.bytes.offset] = true;
    }
    std::vector<bool> must_cut(size + 1, false);
    must_cut[size] = true;
    for (const StateLayout::Span& span : space.layout().threads) {
      must_cut[span.offset] = must_cut[span.offset + span.size] = true;
    }
    uint32_t begin = 0;
    uint32_t good = 0;  // the last place where a piece may end
    for (uint32_t at = 1; at <= size; ++at) {
      if (must_cut[at]) {
        if (!in_thread[begin] && at - begin > kPiece && good > begin) {
          add_component(begin, good);
          begin = good;
        }
        add_component(begin, at);
        begin = good = at;
        continue;
      }
      if (in_thread[begin]) continue;
      if (at - begin > kPiece) {
        const uint32_t end = good > begin ? good : at - 1;
        add_component(begin, end);
        begin = good = end;
      }
      if (may_cut[at]) good = at;
    }
    // The tree needs two leaves.
    while (components_.size() < 2) components_.push_back({0, 0, Contents(0)});
  }

  // Up to the two nodes below the root. False if nothing differs from the last state.
  bool look_up(const uint8_t* state) {
    bool any = !has_last_;
    for (uint32_t leaf = 0; leaf < leaves_; ++leaf) {
      Component& component = components_[leaf];
      const uint8_t* now = state + component.offset;
      uint8_t* before = last_.data() + component.offset;
      const bool differs = !has_last_ || std::memcmp(now, before, component.size) != 0;
      changed_[leaves_ + leaf] = differs;
      if (!differs) continue;
      any = true;
      std::memcpy(before, now, component.size);
      numbers_[leaves_ + leaf] = component.contents.number_of(now);
    }
    has_last_ = true;
    if (!any) return false;
    for (uint32_t node = leaves_ - 1; node > 1; --node) {
      changed_[node] = changed_[2 * node] != 0 || changed_[2 * node + 1] != 0;
      if (changed_[node] == 0) continue;
      numbers_[node] = pairs_[node].number_of({numbers_[2 * node], numbers_[2 * node + 1]}).number;
    }
    return true;
  }

  bool is_open(uint32_t number) const { return (open_[number / 64] >> (number % 64) & 1) != 0; }

  std::vector<Component> components_;
  uint32_t leaves_ = 0;
  std::vector<Pairs> pairs_;       // by node; [1] has the states
  std::vector<uint32_t> numbers_;  // by node, of the last state
  std::vector<uint8_t> changed_;   // by node, scratch
  std::vector<uint8_t> last_;
  bool has_last_ = false;
  Chunks<uint64_t> open_;  // a bit for each state
};

}  // namespace

std::unique_ptr<StateStore> make_exact_store(const StateSpace& space) {
  return std::make_unique<ExactStore>(space);
}

}  // namespace heddle::explicit_states
