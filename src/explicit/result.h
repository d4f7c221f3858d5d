// What a search has found, and what its verdict is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explicit/options.h"
#include "interpreter/state_space.h"
#include "model/finding.h"

namespace heddle::explicit_states {

enum class Verdict : uint8_t { Pass, Fail, Unknown };

// Why a search did not see all that it was meant to see.
enum class Incomplete : uint8_t { No, Memory, StateLimit, Stopped, FirstFinding };

struct CheckFinding {
  Failure failure;
  std::vector<Move> path;    // from the initial state; the last one fails, unless it is a deadlock
  uint32_t preemptions = 0;  // of a search by preemptions
  // Of a broken temporal property: where in the path the part begins that repeats for ever; the
  // end of the path, if the execution has ended or is stuck there.
  std::optional<size_t> loop = std::nullopt;
};

// What the verdict is about.
struct Coverage {
  Incomplete incomplete = Incomplete::No;
  ReductionKind reduction = ReductionKind::None;
  Storage storage = Storage::Exact;
  double expected_omissions = 0;  // states that were probably taken for others; 0 if exact
  // Of a search by preemptions: all executions with at most so many were covered.
  std::optional<uint32_t> preemptions;
  bool all_preemptions = true;      // and there are none with more
  std::vector<std::string> beyond;  // bounds of the graph that executions went beyond
};

struct CheckResult {
  Verdict verdict = Verdict::Unknown;
  Coverage coverage;
  std::string reason;  // Unknown: one sentence, without a period
  std::vector<CheckFinding> findings;
  uint64_t states = 0;
  uint64_t transitions = 0;
  uint64_t dismissed = 0;                       // steps after which an assumption did not hold
  uint64_t ended = 0;                           // steps after which the program had ended
  uint64_t full_expansions = 0;                 // states in which a reduction was overruled
  uint64_t deepest = 0;                         // depth-first: the longest path
  uint64_t bytes = 0;                           // of stored states
  std::vector<uint64_t> states_by_preemptions;  // seen with at most 0, 1, … preemptions
};

}  // namespace heddle::explicit_states
