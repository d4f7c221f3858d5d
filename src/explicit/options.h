// How to search.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "interpreter/state_space.h"

namespace heddle::explicit_states {

enum class SearchOrder : uint8_t { DepthFirst, BreadthFirst };
enum class ReductionKind : uint8_t { None, Stubborn, Transactions };
enum class Storage : uint8_t { Exact, HashCompact, Bitstate };

// States have numbers of 32 bits.
inline constexpr uint64_t kMostStates = 0xffff0000;

enum class Fairness : uint8_t {
  None,
  Weak,  // a thread that could go on all the time does so, sooner or later
};

// A formula that every execution is to keep (temporal/parse.h, propositions.h).
struct TemporalOptions {
  std::string formula;
  Fairness fairness = Fairness::None;
};

struct CheckOptions {
  SearchOrder order = SearchOrder::DepthFirst;
  ReductionKind reduction = ReductionKind::None;
  Storage storage = Storage::Exact;
  // Searches by preemptions, none first, up to so many; order, reduction and storage are as above.
  std::optional<uint32_t> max_preemptions;
  // Look for an execution that breaks this, and for nothing else.
  std::optional<TemporalOptions> temporal;
  bool keep_going = false;                    // after the first finding
  uint64_t memory_limit = uint64_t{4} << 30;  // bytes; of a bitstate field: its size
  uint64_t max_states = kMostStates;          // more than that are not possible
  std::function<bool()> stop;                 // asked now and then; true ends the search

  // Called for each state in which an execution has ended or cannot go on.
  std::function<void(const uint8_t*, Outcome)> on_end;
};

}  // namespace heddle::explicit_states
