// From an order of events to the steps of the interpreter.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "circuit/trace.h"
#include "events/event.h"
#include "model/finding.h"
#include "symbolic/gate_solver.h"

namespace heddle::events {

// The interpreter takes the events, as the solver has them, and comes to what they were asked for;
// or a sentence that says where it does not, which is a defect of the encoding.
std::variant<circuit::Execution, std::string> replay(const EventProgram& program,
                                                     std::span<const uint32_t> order,
                                                     const symbolic::GateSolver& solver,
                                                     FindingKind kind);

}  // namespace heddle::events
