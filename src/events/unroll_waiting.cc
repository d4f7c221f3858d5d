// What actions on condition variables, semaphores, barriers and reader-writer locks do
// (interpreter/machine_sync.cc).
#include <cerrno>

#include "events/thread_unroller.h"
#include "interpreter/sync_cells.h"

namespace heddle::events {

using circuit::choose;
using circuit::constant_word;
using circuit::equal;
using circuit::kFalse;
using circuit::kTrue;
using graph::ActionKind;

// ---- condition variables ----

void ThreadUnroller::perform_condition(Walk& walk, const graph::Action& action) {
  if (action.kind == ActionKind::CondWait) return wait_on_condition(walk, action);
  const CellWords& words = shared_.words;
  const std::vector<Target> where = targets(walk, action, action.address, true);
  graph::Action quiet = action;
  quiet.own = quiet.own || action.kind == ActionKind::CondInit;
  const uint32_t event = event_for(walk, quiet, where);
  require_target(walk, event, where, action.place);
  const Word none = constant_word(0, out_.slots + 2);
  for (const Target& target : where) {
    if (action.kind == ActionKind::CondInit) {
      put(walk, event, target, none);
      continue;
    }
    const Word seen = see(walk, event, target);
    go_beyond(walk, aig_.land(target.match, words.condition_is_new(seen)),
              "a condition variable that was not initialised");
    fail(walk, FindingKind::CondMisuse, aig_.land(target.match, words.condition_is_gone(seen)));
    const Word waiting = words.waiters(seen);
    Word after = none;
    if (action.kind == ActionKind::CondDestroy) {
      fail(walk, FindingKind::CondMisuse, aig_.land(target.match, any(aig_, waiting)));
      after.back() = kTrue;
    } else if (action.kind == ActionKind::CondSignal) {
      // One of those who wait, if anybody does.
      const Word woken = circuit::input_word(aig_, "", out_.slots);
      for (uint32_t slot = 0; slot < out_.slots; ++slot) {
        out_.constraints.push_back(aig_.implies(woken[slot], waiting[slot]));
        for (uint32_t other = 0; other < slot; ++other)
          out_.constraints.push_back(!aig_.land(woken[slot], woken[other]));
        after[slot] = aig_.land(waiting[slot], !woken[slot]);
      }
      out_.constraints.push_back(aig_.implies(
          aig_.land(aig_.land(walk.guard, target.match), any(aig_, waiting)), any(aig_, woken)));
      if (event != kNoEvent) out_.events[event].signals.push_back({target.match, waiting, woken});
    }
    put(walk, event, target, after);
  }
  assign(walk, action.into, constant_word(0, 32));
}

void ThreadUnroller::wait_on_condition(Walk& walk, const graph::Action& action) {
  const CellWords& words = shared_.words;
  const std::vector<Target> where = targets(walk, action, action.address, true);
  const std::vector<Target> mutexes = targets(walk, action, action.second, true);
  uint32_t event = begin_event(walk, EventKind::Action, action);
  require_target(walk, event, where, action.place);
  require_target(walk, event, mutexes, action.place);
  for (const Target& target : mutexes) {
    fail(walk, FindingKind::CondMisuse, aig_.land(target.match, !holds(walk, target.cell)));
    put(walk, event, target, constant_word(0, words.lock_bits()));
    set_holds(walk, target, false);
  }
  for (const Target& target : where) {
    const Word seen = see(walk, event, target);
    go_beyond(walk, aig_.land(target.match, words.condition_is_new(seen)),
              "a condition variable that was not initialised");
    fail(walk, FindingKind::CondMisuse, aig_.land(target.match, words.condition_is_gone(seen)));
    put(walk, event, target, words.with(seen, slot_));
  }
  event = begin_event(walk, EventKind::Woken, action);
  for (const Target& target : where) {
    const Word seen = see(walk, event, target);
    must_be_possible(walk, event, ActionKind::CondWait, EventKind::Woken, target, seen);
  }
  take_lock(walk, event, mutexes);
  assign(walk, action.into, constant_word(0, 32));
}

// ---- semaphores ----

void ThreadUnroller::perform_semaphore(Walk& walk, const graph::Action& action) {
  const std::vector<Target> where = targets(walk, action, action.address, true);
  graph::Action quiet = action;
  quiet.own = quiet.own || action.kind == ActionKind::SemInit;
  const uint32_t event = event_for(walk, quiet, where);
  require_target(walk, event, where, action.place);
  if (action.kind == ActionKind::SemInit || action.kind == ActionKind::SemDestroy) {
    // Who waits for it is not known from its count.
    if (!alone(walk) && action.kind == ActionKind::SemInit)
      throw Refusal{
          "a semaphore that is initialised beside other threads has no encoding by "
          "events"};
    for (uint32_t slot = 1; slot < out_.slots; ++slot)
      if (!alone(walk) && slot != slot_ && walk.after[slot] != kAllEvents)
        throw Refusal{
            "a semaphore that is destroyed beside other threads has no encoding by "
            "events"};
  }
  Word into = constant_word(0, 32);
  for (const Target& target : where) {
    if (action.kind == ActionKind::SemInit) {
      const Word count = circuit::resized(value(walk, action.value), 32);
      go_beyond(walk, circuit::less(aig_, constant_word(kMostSemaphore, 32), count),
                "a semaphore with a larger count than can be kept");
      put(walk, event, target, circuit::resized(count, 16));
      continue;
    }
    const Word seen = see(walk, event, target);
    go_beyond(walk, aig_.land(target.match, equal(aig_, seen, kNoSemaphore)),
              "a semaphore that was not initialised");
    const Literal some = any(aig_, seen);
    switch (action.kind) {
      case ActionKind::SemWait:
        must_be_possible(walk, event, action.kind, EventKind::Action, target, seen);
        put(walk, event, target, circuit::minus_one(aig_, seen));
        break;
      case ActionKind::SemTryWait:
        put(walk, event, target, choose(aig_, some, circuit::minus_one(aig_, seen), seen));
        into = choose(aig_, aig_.land(target.match, !some), constant_word(EAGAIN, 32), into);
        break;
      case ActionKind::SemPost:
        go_beyond(walk, aig_.land(target.match, equal(aig_, seen, kMostSemaphore)),
                  "a semaphore with a larger count than can be kept");
        put(walk, event, target, circuit::plus_one(aig_, seen));
        break;
      case ActionKind::SemValue:
        into = choose(aig_, target.match, circuit::resized(seen, 32), into);
        break;
      default:
        break;
    }
  }
  assign(walk, action.into, into);
}

// ---- barriers ----

void ThreadUnroller::perform_barrier(Walk& walk, const graph::Action& action) {
  const CellWords& words = shared_.words;
  const std::vector<Target> where = targets(walk, action, action.address, true);
  if (action.kind != ActionKind::BarrierWait && where.size() != 1)
    throw Refusal{
        "a barrier among several that is initialised or destroyed has no encoding by "
        "events"};
  graph::Action quiet = action;
  quiet.own = quiet.own || action.kind == ActionKind::BarrierInit;
  uint32_t event = event_for(walk, quiet, where);
  require_target(walk, event, where, action.place);
  Literal last = kFalse;
  for (const Target& target : where) {
    const Word seen = see(walk, event, target);
    const Word waiting = words.waiters(seen);
    const Word count = words.barrier_count(seen);
    if (action.kind != ActionKind::BarrierWait) {
      fail(walk, FindingKind::BarrierMisuse, aig_.land(target.match, any(aig_, waiting)));
      Word after = constant_word(0, out_.slots + kBarrierBits);
      if (action.kind == ActionKind::BarrierInit) {
        const Word given = circuit::resized(value(walk, action.value), 64);
        go_beyond(walk,
                  aig_.lor(!any(aig_, given), circuit::less(aig_, constant_word(255, 64), given)),
                  "a barrier for no threads, or for too many");
        for (uint32_t i = 0; i < kBarrierBits; ++i) after[out_.slots + i] = given[i];
      } else {
        fail(walk, FindingKind::BarrierMisuse, aig_.land(target.match, !any(aig_, count)));
      }
      put(walk, event, target, after);
      continue;
    }
    fail(walk, FindingKind::BarrierMisuse, aig_.land(target.match, !any(aig_, count)));
    const Word there = circuit::count_ones(aig_, waiting, kBarrierBits);
    const Literal completes = !circuit::less(aig_, circuit::plus_one(aig_, there), count);
    Word after = words.with(seen, slot_);
    for (uint32_t slot = 0; slot < out_.slots; ++slot)
      after[slot] = aig_.land(after[slot], !completes);
    put(walk, event, target, after);
    last = aig_.lor(last, aig_.land(target.match, completes));
  }
  if (action.kind != ActionKind::BarrierWait)
    return assign(walk, action.into, constant_word(0, 32));
  // The others go on once the last one has come; for that one there is nothing to wait for.
  Walk waiting = walk;
  waiting.guard = aig_.land(walk.guard, !last);
  const Literal completed = aig_.land(walk.guard, last);
  event = begin_event(waiting, EventKind::Woken, action);
  for (const Target& target : where) {
    const Word seen = see(waiting, event, target);
    must_be_possible(waiting, event, ActionKind::BarrierWait, EventKind::Woken, target, seen);
  }
  walk.guard = aig_.lor(completed, waiting.guard);
  assign(walk, action.into, circuit::resized({last}, 32));
}

// ---- reader-writer locks ----

void ThreadUnroller::perform_rwlock(Walk& walk, const graph::Action& action) {
  const CellWords& words = shared_.words;
  const std::vector<Target> where = targets(walk, action, action.address, true);
  graph::Action quiet = action;
  quiet.own = quiet.own || action.kind == ActionKind::RwInit;
  const uint32_t event = event_for(walk, quiet, where);
  require_target(walk, event, where, action.place);
  assign(walk, action.into, constant_word(0, 32));
  for (const Target& target : where) {
    if (action.kind == ActionKind::RwInit)
      put(walk, event, target, constant_word(0, words.lock_bits() + out_.slots));
    else
      rw_step(walk, action, event, target);
  }
}

void ThreadUnroller::rw_step(Walk& walk, const graph::Action& action, uint32_t event,
                             const Target& target) {
  const CellWords& words = shared_.words;
  const uint32_t bits = words.lock_bits();
  const Word seen = see(walk, event, target);
  const Word writer(seen.begin(), seen.begin() + bits);
  const Literal reads = seen[bits + slot_], unlocked = equal(aig_, seen, 0);
  const Literal writes = equal(aig_, writer, slot_ + 1), no_writer = equal(aig_, writer, 0);
  go_beyond(walk, aig_.land(target.match, equal(aig_, writer, words.uninitialised_lock())),
            "a reader-writer lock that was not initialised");
  const bool for_reading =
      action.kind == ActionKind::RwRead || action.kind == ActionKind::RwTryRead;
  Word read = seen, written = seen;
  read[bits + slot_] = kTrue;
  const Word mine = constant_word(slot_ + 1, bits);
  std::copy(mine.begin(), mine.end(), written.begin());
  const Literal free = for_reading ? no_writer : unlocked;
  if (for_reading)
    go_beyond(walk, aig_.land(target.match, reads),
              "a reader-writer lock that is read-locked twice");
  switch (action.kind) {
    case ActionKind::RwRead:
    case ActionKind::RwWrite:
      go_beyond(walk, aig_.land(target.match, writes),
                "a reader-writer lock that its writer locks again");
      must_be_possible(walk, event, action.kind, EventKind::Action, target, seen);
      put(walk, event, target, for_reading ? read : written);
      return;
    case ActionKind::RwTryRead:
    case ActionKind::RwTryWrite:
      put(walk, event, target, choose(aig_, free, for_reading ? read : written, seen));
      if (action.into != graph::kNoRegister)
        assign(walk, action.into,
               choose(aig_, aig_.land(target.match, !free), constant_word(EBUSY, 32),
                      circuit::resized(walk.registers[graph::index(action.into)], 32)));
      return;
    case ActionKind::RwUnlock: {
      fail(walk, FindingKind::RwlockMisuse, aig_.land({target.match, !writes, !reads}));
      Word after = seen;
      for (uint32_t i = 0; i < bits; ++i) after[i] = aig_.land(seen[i], !writes);
      after[bits + slot_] = aig_.land(reads, writes);
      put(walk, event, target, after);
      return;
    }
    default:
      fail(walk, FindingKind::RwlockMisuse, aig_.land(target.match, !unlocked));
      return;
  }
}

}  // namespace heddle::events
