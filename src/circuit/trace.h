// From a run of the circuit to an execution of the interpreter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "circuit/encode.h"
#include "interpreter/graph_space.h"

namespace heddle::circuit {

// The bytes that the interpreter has for the state in which the simulation stands; nothing where a
// thread is in the middle of a step that has no such state.
std::optional<std::vector<uint8_t>> state_of(const Encoded& encoded, const Simulation& simulation);

// One step of the interpreter, with the values of the inputs that it takes on the way.
struct TracedMove {
  Move move;
  std::vector<uint64_t> inputs;
};

struct Execution {
  std::vector<uint64_t> first_inputs;  // that main takes before its first step
  std::vector<TracedMove> moves;
  Outcome outcome = Outcome::Running;  // of the last step, or of the beginning
  Failure failure;                     // Failed, or a deadlock
  std::string bound;                   // Cut
};

// The interpreter takes the run step by step and is in the same states; or a sentence that says
// where it is not, which is a defect of the circuit. `shows`: what the run was found for
// (Encoded::asks). Of a race the threads are left before their accesses.
std::variant<Execution, std::string> retrace(const Encoded& encoded, const Run& run,
                                             std::optional<FindingKind> shows);

// The interpreter for the encoded program, with the same numbers of threads.
GraphSpace space_of(const Encoded& encoded);

}  // namespace heddle::circuit
