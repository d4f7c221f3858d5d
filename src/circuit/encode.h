// From a program graph to a sequential circuit.
//
// Latches hold the state of the program (fields.h), inputs say which thread steps and what is
// nondeterministic in its step. A step of the circuit is a step of the interpreter or part of one
// (step_encoder.h says why); exactly one thread that is able to takes it, and none only where none
// is. What can go wrong are the circuit's properties, one for each kind of finding that the
// program's text leaves possible, and one for the bounds of the graph.
//
// Runs of the circuit are executions of the interpreter, with the same failures: trace.h turns one
// into the other. What the circuit leaves out: data races inside atomic sections, as the
// interpreter does, and all that the bound says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "circuit/aig.h"
#include "circuit/fields.h"
#include "circuit/reduction.h"
#include "circuit/step_encoder.h"
#include "circuit/thread_plan.h"
#include "graph/graph.h"
#include "model/finding.h"

namespace heddle::circuit {

struct EncodeOptions {
  bool races = true;  // data races are a property
  ScheduleReduction reduction = ScheduleReduction::None;
  uint32_t round_bits = 16;  // so many rounds (2 to the power) of a loop without a step are a bound
  bool sweep = true;         // off: for tests
};

struct Encoded {
  System system;
  // By property: what it finds; nothing: the program goes beyond a bound, or does what the circuit
  // cannot say, so that a proof of the others says something about the rest only.
  std::vector<std::optional<FindingKind>> asks;

  std::shared_ptr<const ThreadPlan> plan;
  Fields fields;
  bool starts_before_main = false;  // the first steps are main's way to its first stop
  std::vector<Literal> execute;     // by slot: inputs
  std::vector<Literal> able;        // by slot: it could go on, if it were its turn
  Word choice;                      // inputs
  std::vector<InputStatement> inputs;
  std::vector<InputTaken> inputs_taken;
  Literal ended = kFalse;      // the program ends by itself in this step
  Literal dismissed = kFalse;  // an assumption does not hold in it (a constraint says: never)
};

struct Refusal {
  std::string sentence;  // what is not encoded
};

// The program must be well formed (graph/check.h).
std::variant<Encoded, Refusal> encode(const graph::Program& program, const EncodeOptions& options);

}  // namespace heddle::circuit
