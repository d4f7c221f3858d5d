// Checks a program as events: alone, or beside engines over a circuit.
#pragma once

#include "events/check.h"
#include "graph/graph.h"
#include "model/finding.h"
#include "prove/circuit_result.h"
#include "prove/counterexample.h"
#include "prove/judged_space.h"
#include "prove/options.h"
#include "symbolic/engine.h"

namespace heddle::prove {

CircuitResult search_events(const graph::Program& program, const ProveOptions& options,
                            const Judgement& judgement);

// The same question as an engine of the portfolio has it; what is reached is in Answer::steps.
symbolic::Answer ask_events(const graph::Program& program, const events::Question& question,
                            const symbolic::Limits& limits);

struct EventFinding {
  FindingKind kind;
  Counterexample counterexample;
};
EventFinding event_finding(const graph::Program& program, const symbolic::Answer& answer);

}  // namespace heddle::prove
