// What a verdict is about, as facts: what the strategy covered, and what lies outside of that.
// Parts of the tool add facts; report/guarantee_text.cc turns them into a sentence, once, for
// people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"
#include "model/run_options.h"

namespace heddle {

// clang-format off
// What a search has left out, and a name for it, for programs that read reports. In the order in
// which the sentence tells them.
#define HEDDLE_CAVEATS(X)                             \
  X(CallsOnly,        "calls-only")                   \
  X(SyncOnly,         "synchronisation-only")         \
  X(AssumptionsBroken,"assumptions-broken")           \
  X(StepLimit,        "step-limit")                   \
  X(CountingLoops,    "counting-loops")               \
  X(LongLoops,        "long-loops")                   \
  X(Timeouts,         "timeouts")                     \
  X(SpuriousWakeups,  "spurious-wake-ups")            \
  X(FreedMemory,      "freed-memory")                 \
  X(UnreadMemory,     "unread-memory")                \
  X(RaceRoom,         "race-detection-room")          \
  X(ThreadLimit,      "thread-limit")                 \
  X(IgnoredKinds,     "ignored-kinds")                \
  X(UncompiledParts,  "uncompiled-parts")             \
  X(StructuresByValue, "structures-by-value")         \
  X(UnusualSizes,     "unusual-sizes")                \
  X(AtomicInstructions, "atomic-instructions")
// clang-format on

enum class Caveat : uint8_t {
#define X(enumerator, name) enumerator,
  HEDDLE_CAVEATS(X)
#undef X
};

std::string_view name(Caveat caveat);

struct Guarantee {
  std::string scope;      // of the strategy: "all executions with at most 2 preemptions"
  bool complete = false;  // it has covered all that it was meant to
  uint32_t caveats = 0;   // a bit for each

  // What the caveats speak of.
  RunOptions options;
  std::vector<std::string> uncompiled;  // files

  void add(Caveat caveat) { caveats |= 1u << static_cast<uint32_t>(caveat); }
  bool has(Caveat caveat) const { return (caveats >> static_cast<uint32_t>(caveat) & 1) != 0; }
};

// The caveats that hold, in order.
std::vector<Caveat> caveats_of(const Guarantee& guarantee);

}  // namespace heddle
