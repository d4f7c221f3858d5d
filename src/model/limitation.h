// What reductions cannot deal with in a program. They end with it, and another search begins.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace heddle {

// One row each: what the program does, and what the run ends with where nothing else is tried.
#define HEDDLE_LIMITATIONS(X)                                                                   \
  X(Cancel, "the program calls pthread_cancel",                                                 \
    "a program that calls pthread_cancel can be checked by enumeration only: use "              \
    "--strategy=icb or dfs without filters, random or pct")                                     \
  X(AtomicSections, "the program has atomic sections",                                          \
    "a program with atomic sections cannot be checked by searches that keep states: use a "     \
    "strategy other than cb-por-1 and cb-por-2, and no filters")                                \
  X(ChoiceInSection, "the program chooses or waits inside atomic sections",                     \
    "a program that chooses a value, picks one of several waiters or waits in a loop inside "   \
    "an atomic section can be checked by enumeration only: use --strategy=icb or dfs without "  \
    "filters, random or pct")                                                                   \
  X(Invariants, "the program has invariants",                                                   \
    "an invariant can be checked by searches only that see every state: use --strategy=icb or " \
    "dfs without the filter super-step, sleep-sets, cb-por-1, or one that samples")             \
  X(ProcessSignal, "the program sends itself signals that the sender blocks",                   \
    "a program that sends itself a signal that the sender blocks can be checked by "            \
    "enumeration only: use --strategy=icb or dfs without filters, random or pct")

enum class Limitation : uint32_t {
  None,
#define X(enumerator, reason, sentence) enumerator,
  HEDDLE_LIMITATIONS(X)
#undef X
};

struct LimitationInfo {
  std::string_view reason;
  const char* sentence;
};

constexpr LimitationInfo limitation_info(Limitation limitation) {
  constexpr LimitationInfo kInfos[] = {{"", ""},
#define X(enumerator, reason, sentence) {reason, sentence},
                                       HEDDLE_LIMITATIONS(X)
#undef X
  };
  const auto number = static_cast<uint32_t>(limitation);  // may come from a damaged channel
  return number < std::size(kInfos) ? kInfos[number] : kInfos[0];
}

}  // namespace heddle
