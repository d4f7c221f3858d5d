// What threads may touch from a place on, and which locks they must get on the way.
//
// For each place and each thing that may be touched later: the sets of locks that are acquired
// along the ways to it, by a backward fixpoint over the blocks. Only smallest sets count (who can
// come with fewer locks can come), so they are kept as antichains. This is "touch-now-later-LS" of
// Kahlon, Gupta and Sinha, section 4.2; src/explicit/footprints.h says what a block touches.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "explicit/footprints.h"

namespace heddle::circuit {

enum class TouchKind : uint8_t { Reads, Writes, Resets };

struct LaterTouch {
  uint32_t resource = 0;
  TouchKind kind = TouchKind::Reads;
  friend bool operator==(const LaterTouch&, const LaterTouch&) = default;
  friend bool operator<(const LaterTouch& a, const LaterTouch& b) {
    return std::tie(a.resource, a.kind) < std::tie(b.resource, b.kind);
  }
};

// Sets of locks as bits, none of which contains another; one of them is got on each way. The empty
// set alone: there is a way without locks.
using LockSets = std::vector<uint64_t>;
using LaterTouches = std::map<LaterTouch, LockSets>;

class LockPatterns {
 public:
  // `with_locks` off: all ways are taken to need none.
  LockPatterns(const StateSpace& space, const explicit_states::Footprints& footprints,
               bool with_locks);

  // From before the action of the block on; inside: from where a wait for a condition relocks.
  LaterTouches later(uint32_t routine, uint32_t block, bool inside) const;
  const std::vector<uint32_t>& locks() const { return locks_; }  // cells, by bit

 private:
  uint64_t bit_of(uint32_t lock) const;
  LaterTouches compute(uint32_t routine, uint32_t block, bool inside) const;

  const explicit_states::Footprints& footprints_;
  std::vector<uint32_t> locks_;
  std::vector<std::vector<LaterTouches>> before_;  // by routine and block
};

}  // namespace heddle::circuit
