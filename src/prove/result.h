// What `heddle prove` came to, ready to be written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explicit/check.h"
#include "prove/circuit_result.h"
#include "prove/counterexample.h"
#include "report/run_result.h"

namespace heddle::prove {

// What became of a counterexample when the program itself was run along it.
struct Confirmation {
  // Found: not along the steps, but a search of native executions has come to a bug of the kind.
  enum class State : uint8_t { NotTried, Shown, Found, NotShown };
  State state = State::NotTried;
  std::string sentence;    // without a period; why it was not tried, or what the program did
  std::string trace_file;  // of the native execution, if there is one
  std::string native;      // NotShown: what the native execution looked like
};

struct ProvedFinding {
  Counterexample counterexample;
  Confirmation confirmation;
};

struct GraphSize {
  size_t routines = 0, blocks = 0, actions = 0, objects = 0, cells = 0;
};

struct ProveResult {
  heddle::Verdict verdict = heddle::Verdict::Unknown;
  std::string program;
  std::string guarantee;  // without a period
  std::string reason;     // Unknown: why
  std::vector<std::string> beyond;
  GraphSize graph;
  explicit_states::CheckResult check;    // of the explicit search
  std::optional<CircuitResult> circuit;  // where engines over a circuit have searched
  double frontend_seconds = 0, search_seconds = 0;
  std::vector<ProvedFinding> findings;
};

GraphSize size_of(const graph::Program& program);

std::string text_report(const ProveResult& result, bool quiet);
std::string json_report(const ProveResult& result);

}  // namespace heddle::prove
