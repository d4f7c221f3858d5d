// A bug of the tested program, as seen at the end of one execution.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace heddle {

// clang-format off
#define HEDDLE_FINDING_KINDS(X)            \
  X(Deadlock,       "deadlock")            \
  X(Assertion,      "assertion")           \
  X(Abort,          "abort")               \
  X(Exception,      "uncaught-exception")  \
  X(Crash,          "crash")               \
  X(StackOverflow,  "stack-overflow")      \
  X(ExitStatus,     "exit-status")         \
  X(Livelock,       "livelock")            \
  X(MutexMisuse,    "mutex-misuse")        \
  X(CondMisuse,     "cond-misuse")         \
  X(ThreadMisuse,   "thread-misuse")       \
  X(DataRace,       "data-race")           \
  X(SpinMisuse,     "spin-misuse")         \
  X(RwlockMisuse,   "rwlock-misuse")       \
  X(SemMisuse,      "semaphore-misuse")    \
  X(BarrierMisuse,  "barrier-misuse")      \
  X(DoubleFree,     "double-free")         \
  X(InvalidFree,    "invalid-free")        \
  X(MismatchedFree, "mismatched-free")     \
  X(UseAfterFree,   "use-after-free")      \
  X(OutOfBounds,    "out-of-bounds")       \
  X(StackUse,       "stack-use-after-end") \
  X(Leak,           "leak")                \
  X(LostWakeup,     "lost-wakeup")         \
  X(Invariant,      "invariant")           \
  X(Nondeterminism, "nondeterminism")      \
  X(Death,          "death")
// clang-format on

enum class FindingKind : uint8_t {
#define X(enumerator, name) enumerator,
  HEDDLE_FINDING_KINDS(X)
#undef X
};

std::string_view name(FindingKind kind);
std::optional<FindingKind> finding_kind_from_name(std::string_view name);

struct Failure {
  FindingKind kind = FindingKind::Deadlock;
  std::string message;          // one sentence, no trailing period
  ThreadId thread = kNoThread;  // the thread it happened in, if one
  Address pc = kNoAddress;      // where, if known
  Address other = kNoAddress;   // data race: where the earlier of the two accesses was made
  Address object = kNoAddress;  // what memory it is about, if any
  uint32_t size = 0;            // bytes of it
  // Deadlock, livelock: what the threads that make it wait for, and where, as a hash. Who they are,
  // and who else is blocked behind them, is chance. 0: not known.
  uint64_t knot = 0;
};

// The same bug at the same place. Which access of a race comes first is the schedule's doing.
bool same_bug(const Failure& a, const Failure& b);

// What users may say in a file that they do not want to hear of (--suppressions).
constexpr bool may_be_suppressed(FindingKind kind) {
  return kind == FindingKind::DataRace || kind == FindingKind::Deadlock ||
         kind == FindingKind::MutexMisuse || kind == FindingKind::SpinMisuse ||
         kind == FindingKind::RwlockMisuse;
}

}  // namespace heddle
