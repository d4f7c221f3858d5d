// Checks a program as a circuit: over all schedules and all inputs at once.
#pragma once

#include "graph/graph.h"
#include "prove/circuit_result.h"
#include "prove/judged_space.h"
#include "prove/options.h"

namespace heddle::prove {

CircuitResult search_circuit(const graph::Program& program, const ProveOptions& options,
                             const Judgement& judgement);

// Whether the program has inputs of so many values that they cannot be tried one by one.
bool has_wide_inputs(const graph::Program& program);

}  // namespace heddle::prove
