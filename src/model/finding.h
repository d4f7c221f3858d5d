// A bug of the tested program, as seen at the end of one execution.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace heddle {

// clang-format off
// Soft ones leave the execution as it is: what else is wrong may show a few executions later.
#define HEDDLE_FINDING_KINDS(X) \
  X(Deadlock,        "deadlock",               Hard) \
  X(Assertion,       "assertion",              Hard) \
  X(Abort,           "abort",                  Hard) \
  X(Exception,       "uncaught-exception",     Hard) \
  X(Crash,           "crash",                  Hard) \
  X(StackOverflow,   "stack-overflow",         Hard) \
  X(ExitStatus,      "exit-status",            Hard) \
  X(Livelock,        "livelock",               Hard) \
  X(MutexMisuse,     "mutex-misuse",           Hard) \
  X(CondMisuse,      "cond-misuse",            Hard) \
  X(ThreadMisuse,    "thread-misuse",          Hard) \
  X(DataRace,        "data-race",              Soft) \
  X(SpinMisuse,      "spin-misuse",            Hard) \
  X(RwlockMisuse,    "rwlock-misuse",          Hard) \
  X(SemMisuse,       "semaphore-misuse",       Hard) \
  X(BarrierMisuse,   "barrier-misuse",         Hard) \
  X(DoubleFree,      "double-free",            Hard) \
  X(InvalidFree,     "invalid-free",           Hard) \
  X(MismatchedFree,  "mismatched-free",        Hard) \
  X(UseAfterFree,    "use-after-free",         Hard) \
  X(OutOfBounds,     "out-of-bounds",          Hard) \
  X(StackUse,        "stack-use-after-end",    Hard) \
  X(Leak,            "leak",                   Soft) \
  X(LostWakeup,      "lost-wakeup",            Hard) \
  X(Invariant,       "invariant",              Hard) \
  X(Temporal,        "temporal",               Hard) \
  X(Nondeterminism,  "nondeterminism",         Hard) \
  X(Death,           "death",                  Hard)
// clang-format on

enum class FindingKind : uint8_t {
#define X(enumerator, name, severity) enumerator,
  HEDDLE_FINDING_KINDS(X)
#undef X
};

enum class Severity : uint8_t { Soft, Hard };

std::string_view name(FindingKind kind);
Severity severity(FindingKind kind);
std::optional<FindingKind> finding_kind_from_name(std::string_view name);

// Kinds of findings, a bit for each.
using FindingKinds = uint32_t;
constexpr bool contains(FindingKinds kinds, FindingKind kind) {
  return (kinds >> static_cast<uint32_t>(kind) & 1) != 0;
}
// From names with commas between; nothing if one of them is none. "race" is short for data-race.
std::optional<FindingKinds> finding_kinds_from_list(std::string_view list);
std::string list_of(FindingKinds kinds);  // "deadlock, leak"
std::string all_finding_kinds();

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
  std::optional<int32_t> wait_status = std::nullopt;  // death: how the process ended
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
