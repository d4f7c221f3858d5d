// The actions of a program, each under a small number, and which of them are dependent.
//
// A search meets the same few actions millions of times. Here each is looked at once: which things
// it touches (the table of model/dependence.h), what it does to a lock, and with which of the
// others it is dependent, as one bit a pair. The table grows with the program, never with the
// number of executions.
//
// What an atomic section touches is known only when it has been taken. Before, it is dependent with
// everything; afterwards it has another number, which stands for what it did then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/action.h"
#include "model/dependence.h"

namespace heddle {

enum class ActionId : uint32_t {};
constexpr uint32_t index(ActionId id) {
  return static_cast<uint32_t>(id);
}

inline constexpr ActionId kNoAction{0xffffffff};

// A thing that accesses meet in: eight bytes of memory, a mutex, a condition, a thread.
using ObjectNumber = uint32_t;
inline constexpr ObjectNumber kNoObject = 0xffffffff;

// What an action does to a thing that one thread at a time can hold.
enum class LockRole : uint8_t {
  None,
  Acquire,     // blocks while another thread holds it
  TryAcquire,  // never blocks
  Release,
  Pass,   // blocks like an acquire, but takes nothing: what was to be done once is done
  Await,  // blocks until several allow it: a semaphore, a reader-writer lock (model/waiting.h)
  Share,  // changes the state of such a thing, and never blocks
};

struct Footstep {
  ObjectNumber object;
  Access access;
  bool operator==(const Footstep&) const = default;
};

// What a step does to one lock.
struct LockStep {
  LockRole role = LockRole::None;
  ObjectNumber lock = kNoObject;
  Op op = Op::Yield;
  bool operator==(const LockStep&) const = default;
};

struct KnownAction {
  Action action;  // without its place in the program
  LockRole role = LockRole::None;
  ObjectNumber lock = kNoObject;  // what the role is about
  uint32_t first_footstep = 0;
  uint32_t footsteps = 0;
  bool everything = false;  // dependent with all others
  bool exits = false;       // ends the program
  // Of an atomic section that was taken:
  ActionId untaken = kNoAction;  // what it was before
  uint32_t first_lock_step = 0;  // the first is `role` and `lock`
  uint32_t lock_steps = 0;
  bool taken() const { return untaken != kNoAction; }
};

class ActionTable {
 public:
  ActionTable();

  // The number of an action, given when it is seen for the first time.
  ActionId number_of(const Action& action) {
    size_t slot = hash(action) & (index_.size() - 1);
    for (; index_[slot] != kEmpty; slot = (slot + 1) & (index_.size() - 1))
      if (same(known_[index_[slot]].action, action)) return ActionId{index_[slot]};
    return add(action);
  }

  // The number of an atomic section that did all this. Sections that touch the same things in the
  // same ways have the same number. Of none nobody knows what it did.
  ActionId number_of_section(ActionId untaken, std::span<const Action> inside);
  // What the thread was seen to be about to do, before that was known.
  ActionId untaken(ActionId id) const {
    const KnownAction& known = known_[index(id)];
    return known.taken() ? known.untaken : id;
  }
  bool has_sections() const { return !sections_.empty(); }
  // Whether what the action touches is not known yet.
  bool is_unknown(ActionId id) const {
    const KnownAction& known = known_[index(id)];
    return is_section(known.action) && !known.taken();
  }

  const KnownAction& operator[](ActionId id) const { return known_[index(id)]; }
  std::span<const LockStep> lock_steps(ActionId id) const {
    const KnownAction& known = known_[index(id)];
    return std::span(lock_steps_).subspan(known.first_lock_step, known.lock_steps);
  }
  std::span<const Footstep> footsteps(ActionId id) const {
    const KnownAction& known = known_[index(id)];
    return std::span(footsteps_).subspan(known.first_footstep, known.footsteps);
  }
  bool dependent(ActionId a, ActionId b) const {
    if (index(a) >= kPairs || index(b) >= kPairs)
      return compare(known_[index(a)], known_[index(b)]);
    return (pairs_[index(a) * row_words_ + index(b) / 64] >> (index(b) % 64) & 1) != 0;
  }

  size_t size() const { return known_.size(); }
  size_t objects() const { return objects_; }

 private:
  static constexpr uint32_t kEmpty = 0xffffffff;
  static constexpr uint32_t kPairs = 4096;  // actions whose pairs are kept, at most

  static bool same(const Action& a, const Action& b) {
    return a.op == b.op && a.thread == b.thread && a.object == b.object && a.second == b.second &&
           a.size == b.size && a.in_section == b.in_section;
  }
  static uint64_t hash(const Action& action) {
    uint64_t h = value(action.object) * 0x9e3779b97f4a7c15;
    h = (h ^ value(action.second) ^ uint64_t{index(action.thread)} << 32 ^ action.size) *
        0xff51afd7ed558ccd;
    h = (h ^ static_cast<uint64_t>(action.op) << 40 ^ h >> 29) * 0xc4ceb9fe1a85ec53;
    return h ^ h >> 32;
  }

  ActionId add(const Action& action);
  void add_footsteps(KnownAction& known, std::span<const Access> accesses);
  bool compare(const KnownAction& a, const KnownAction& b) const;
  bool same_section(const KnownAction& a, const KnownAction& b) const;
  void add_pairs(uint32_t id);
  void grow_index();
  ObjectNumber object_number(ResourceKind kind, uint64_t unit);

  struct ObjectKey {
    ResourceKind kind;
    uint64_t unit;
    ObjectNumber number = kNoObject;
  };

  std::vector<KnownAction> known_;
  std::vector<uint32_t> index_;  // open addressing, a power of two
  std::vector<Footstep> footsteps_;
  std::vector<LockStep> lock_steps_;
  std::vector<uint32_t> sections_;       // those that were taken
  std::vector<ObjectKey> object_index_;  // open addressing, a power of two
  uint32_t objects_ = 0;
  std::vector<uint64_t> pairs_;
  uint32_t row_words_ = 0;
};

}  // namespace heddle
