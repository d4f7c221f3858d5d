// A witness of SV-COMP, format 1.0: an automaton in GraphML that leads a validator along a program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"

namespace heddle::prove {

enum class WitnessType : uint8_t { Violation, Correctness };

struct WitnessEdge {
  ThreadId thread = kMainThread;
  uint32_t line = 0;                // 0: not known
  std::optional<ThreadId> creates;  // a thread
  std::string enters;               // a function
  std::string assumption;           // about what a function gives
  std::string assumed_result;       // that function
};

struct Witness {
  WitnessType type = WitnessType::Violation;
  std::vector<std::string> specifications;
  std::string producer;
  std::string program_file;
  std::string program_hash;
  std::string creation_time;
  // A path from the entry, whose end is the violation. Without any, the entry alone: an automaton
  // without invariants, which every correct program has.
  std::vector<WitnessEdge> edges;
};

std::string to_graphml(const Witness& witness);

}  // namespace heddle::prove
