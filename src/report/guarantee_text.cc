// Each caveat has its words; the sentence is what the strategy covered, and the caveats that hold.
#include "report/guarantee_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/text_style.h"

namespace heddle {
namespace {

std::string timeouts_in_words(const RunOptions& options) {
  switch (options.timeouts) {
    case Timeouts::Explore:
      return fmt::format("with at most {} of each thread",
                         counted(options.early_timeouts, "early timeout"));
    case Timeouts::Last:
      return "with timeouts only where nothing else is possible";
    case Timeouts::Never:
      break;
  }
  return "without timeouts";
}

std::string in_words(Caveat caveat, const Guarantee& guarantee) {
  const RunOptions& options = guarantee.options;
  switch (caveat) {
    case Caveat::CallsOnly:
      return "atomic operations and memory accesses are not seen in a program that Heddle did not "
             "compile";
    case Caveat::SyncOnly:
      return "data races not looked for";
    case Caveat::AssumptionsBroken:
      return "none of them kept its assumptions";
    case Caveat::StepLimit:
      return fmt::format("except beyond the limit of steps (--max-steps={})", options.max_steps);
    case Caveat::CountingLoops:
      return "a loop that counts was taken to wait when it had looked in vain three times";
    case Caveat::LongLoops:
      return "a loop that looks in vain more than 32 times sees a change in its first three rounds "
             "or not at all (--spin-loops=unroll: in every round)";
    case Caveat::Timeouts:
      return timeouts_in_words(options);
    case Caveat::SpuriousWakeups:
      return "without spurious wake-ups";
    case Caveat::FreedMemory:
      return "uses of freed memory only where they are in the order that was run (--races=off)";
    case Caveat::UnreadMemory:
      return "leaks only as these executions show them (what is left in memory that nobody reads "
             "may differ)";
    case Caveat::RaceRoom:
      return "without some of the races of very large executions";
    case Caveat::ThreadLimit:
      return fmt::format("with at most {} started in an execution",
                         counted(options.max_threads != 0 ? options.max_threads : 4095, "thread"));
    case Caveat::IgnoredKinds:
      return fmt::format("findings of these kinds ignored: {}", list_of(options.ignored));
    case Caveat::UncompiledParts:
      return fmt::format(
          "atomic operations and memory accesses are not seen in the parts that Heddle did not "
          "compile ({})",
          fmt::join(guarantee.uncompiled, ", "));
    case Caveat::StructuresByValue:
      return "structures that calls take or return by value are not seen with this gcc (no plugin "
             "for it)";
    case Caveat::UnusualSizes:
      return "accesses of other than 1, 2, 4, 8 or 16 bytes (long double, long vectors, small "
             "structures by value) are not seen with clang";
    case Caveat::AtomicInstructions:
      return "atomic instructions of the program are not under control";
  }
  return "";
}

// What the strategy says is about executions as Heddle sees them.
std::string scope_in_words(const Guarantee& guarantee) {
  constexpr std::string_view kAll = "all executions";
  std::string_view scope = guarantee.scope;
  const char* joint = guarantee.complete ? ", " : "; ";
  if (guarantee.has(Caveat::CallsOnly)) {
    constexpr std::string_view kCalls = "schedules of its calls to thread functions";
    if (scope.starts_with(kAll)) return fmt::format("all {}{}", kCalls, scope.substr(kAll.size()));
    return fmt::format("{}{}as {}", scope, joint, kCalls);
  }
  if (guarantee.has(Caveat::SyncOnly))
    return fmt::format("{}{}switching at synchronisation only", scope, joint);
  return std::string(scope);
}

}  // namespace

std::string why_undecided(const RunResult& result) {
  if (result.vacuous && result.facts.has(Caveat::ThreadLimit))
    return "every execution starts more threads than it may";
  if (result.vacuous) return "every execution broke an assumption";
  if (result.facts.complete && result.facts.has(Caveat::AtomicInstructions))
    return "nothing found, but atomic instructions of the program are not under control";
  return fmt::format("nothing found, but the search is not complete ({})", result.end_reason);
}

std::string in_words(const Guarantee& guarantee) {
  if (guarantee.scope.empty()) return "nothing yet: the search has not ended";
  std::string text = scope_in_words(guarantee);
  for (Caveat caveat : caveats_of(guarantee))
    text += fmt::format("; {}", in_words(caveat, guarantee));
  return text;
}

}  // namespace heddle
