// The state of a program as latches: one field after the other, each a word.
//
//   of a slot     where its thread stands (a code of thread_plan.h), registers that are live at
//   some
//                 stop, what else the interpreter keeps of it
//   of a cell     the bits of an integer and whether it was written, where that counts; of a lock
//   one
//                 bit for each thread that may hold it; those who wait, as bits
//   of an object  whether it is there, and whether it has been
//
// Counters of locks and semaphores are narrower than the interpreter's: beyond the narrower bound
// is beyond a bound, which is a property of its own (encode.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "circuit/thread_plan.h"
#include "circuit/words.h"

namespace heddle::circuit {

using FieldId = uint32_t;
inline constexpr FieldId kNoField = 0xffffffff;

struct SlotFields {
  FieldId code = kNoField;
  FieldId detached = kNoField, sections = kNoField, depth = kNoField, children = kNoField;
  FieldId result = kNoField;
  std::vector<std::vector<FieldId>> registers;  // by routine and register; kNoField: none needed
};

struct CellFields {
  FieldId value = kNoField;      // integer, once (OnceState; 3: not initialised)
  FieldId written = kNoField;    // integer
  FieldId holder = kNoField;     // locks: one bit for each slot (writes, of a reader-writer lock)
  FieldId no_lock = kNoField;    // locks, conditions, semaphores: not initialised
  FieldId destroyed = kNoField;  // mutexes, conditions
  FieldId depth = kNoField, kind = kNoField;  // mutexes, where they are of several kinds
  FieldId waiters = kNoField;                 // conditions, barriers: one bit for each slot
  FieldId count = kNoField;                   // semaphores, barriers
  std::vector<FieldId> reads;                 // reader-writer locks: by slot
};

struct ObjectFields {
  FieldId there = kNoField, gone = kNoField;  // not of globals
};

struct Fields {
  std::vector<Word> words;  // by number: the latches
  std::vector<SlotFields> slots;
  std::vector<CellFields> cells;
  std::vector<ObjectFields> objects;
  FieldId exclusive = kNoField;  // one bit for each slot
  FieldId running = kNoField;    // likewise: the thread is in the middle of a step
  FieldId halted = kNoField;     // the execution is over

  const Word& now(FieldId id) const { return words[id]; }
  uint32_t bits(FieldId id) const { return static_cast<uint32_t>(words[id].size()); }
};

// From the state that the program begins in.
Fields make_fields(Aig& aig, const ThreadPlan& plan, const uint8_t* initial);

inline constexpr uint32_t kDepthBits = 4;       // of a recursive lock
inline constexpr uint32_t kReadBits = 2;        // of one thread's read locks
inline constexpr uint32_t kSectionBits = 2;     // of atomic sections in one another
inline constexpr uint32_t kBarrierBits = 8;     // of a barrier's count
inline constexpr uint32_t kLeastCountBits = 6;  // of a semaphore
inline constexpr uint32_t kOnceUninitialised = 3;

}  // namespace heddle::circuit
