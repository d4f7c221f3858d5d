// What the words of cells mean, and in which of their values an action can be taken.
//
//   integer            its bits; one more, if it may be read before it was written: it was written
//   mutex, spin lock   who holds it (slots from 1 on), or one of the marks below
//   condition          the threads that wait, as bits; two marks
//   semaphore          its count, as the interpreter keeps it
//   barrier            the threads that wait, as bits; for how many it is
//   reader-writer lock who writes; the threads that read, as bits
#pragma once

#include <cstdint>

#include "circuit/words.h"
#include "events/event.h"
#include "graph/graph.h"

namespace heddle::events {

class CellWords {
 public:
  explicit CellWords(EventProgram& program) : p_(program), aig_(program.aig) {}

  Word initial(uint32_t cell) const;        // at the beginning of the program
  Word fresh(uint32_t cell) const;          // of an object that comes to life
  uint32_t bits(uint32_t cell) const;       // of its word
  uint32_t life_of(uint32_t object) const;  // the number of the cell that says whether it lives

  uint32_t lock_bits() const;
  uint64_t uninitialised_lock() const { return p_.slots + 1; }
  uint64_t destroyed_lock() const { return p_.slots + 2; }
  Literal waits(const Word& word, uint32_t slot) const { return word[slot]; }
  Word without(const Word& word, uint32_t slot) const;
  Word with(const Word& word, uint32_t slot) const;
  Word waiters(const Word& word) const;  // of a condition, of a barrier
  Literal condition_is_new(const Word& word) const { return word[p_.slots]; }
  Literal condition_is_gone(const Word& word) const { return word[p_.slots + 1]; }
  Word barrier_count(const Word& word) const;

  // Whether the thread can take the action where the cell has that value.
  Literal possible(graph::ActionKind action, EventKind kind, const Word& word, uint32_t slot) const;

 private:
  EventProgram& p_;
  circuit::Aig& aig_;
};

inline constexpr uint32_t kBarrierBits = 8;

}  // namespace heddle::events
