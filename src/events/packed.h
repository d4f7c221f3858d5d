// An execution as text, on its way from one process to another.
#pragma once

#include <optional>
#include <string>

#include "circuit/trace.h"
#include "model/finding.h"

namespace heddle::events {

// The steps and inputs; what they come to is not kept.
struct Steps {
  FindingKind kind = FindingKind::Assertion;
  std::vector<uint64_t> first_inputs;
  std::vector<circuit::TracedMove> moves;
};

std::string pack(FindingKind kind, const circuit::Execution& execution);
std::optional<Steps> unpack(const std::string& text);

// The interpreter takes the steps again.
circuit::Execution take_again(const circuit::ThreadPlan& plan, const Steps& steps);

}  // namespace heddle::events
