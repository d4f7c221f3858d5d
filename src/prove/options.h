// The options of `heddle prove`: one table (in the .cc), one struct, one parser.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/result.h"
#include "explicit/check.h"
#include "model/finding.h"
#include "symbolic/engine.h"

namespace heddle::prove {

enum class Confirm : uint8_t { Natively, No };

// Who searches: the explicit search over states, or engines over a circuit.
struct EngineChoice {
  enum class Mode : uint8_t {
    ByInputs,  // explicit, or the portfolio where inputs are too wide to be tried one by one
    Explicit,
    One,     // the kind
    Events,  // not over a circuit, but over events of unrolled threads
    Portfolio,
  };
  Mode mode = Mode::ByInputs;
  symbolic::EngineKind kind = symbolic::EngineKind::Bmc;
};

inline constexpr const char* kEventsEngine = "events";

struct ProveOptions {
  EngineChoice engine;
  uint32_t depth = symbolic::kAnyDepth;  // of engines over a circuit, in its steps
  explicit_states::CheckOptions check;
  double time_limit = 0;      // seconds; 0: none
  FindingKinds ignored = 0;   // findings that do not count
  bool races = true;          // look for data races
  bool reach_only = false;    // only failed assertions count, and abort() is an end
  std::string ltl;            // the formula that executions are to keep; "": none
  bool fair = false;          // ... of executions in which no thread is passed over for ever
  bool overflow = false;      // signed overflow is a bug
  uint32_t max_threads = 16;  // main included
  uint32_t unwind = 8;        // calls of a function within itself
  uint32_t allocations = 8;   // blocks of one place and thread
  Confirm confirm = Confirm::Natively;
  std::string trace_directory = ".";
  bool dump_graph = false;
  std::string aiger;    // the file that the circuit is written to; "": none
  std::string witness;  // the file that the witness is written to; "": none
  bool json = false;
  bool quiet = false;
  bool help = false;
};

struct ProveRequest {
  ProveOptions options;
  std::vector<std::string> inputs;         // sources, or one graph
  std::vector<std::string> compile_flags;  // in order
  std::vector<std::string> arguments;      // of the program, after "--"
};

Result<ProveRequest> parse_prove(std::span<const std::string> words);
std::string prove_help();

}  // namespace heddle::prove
