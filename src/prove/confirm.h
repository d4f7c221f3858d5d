// Runs the program itself along a counterexample.
//
// The steps are written as a trace file of another build of the program: `heddle replay` then
// matches what the program does with what was recorded, so that accesses which the graph does not
// have (to memory of one thread only) do no harm.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "prove/options.h"
#include "prove/result.h"

namespace heddle::prove {

struct NativeProgram {
  const ProveRequest& request;
  const graph::Program& graph;
  std::vector<std::string> verifier_functions;  // called and not defined
  bool own_reach_error = false;                 // calls count, whatever it does
};

// `number`: of the finding, for the name of its file.
Confirmation confirm(const NativeProgram& program, const Counterexample& counterexample,
                     size_t number);

}  // namespace heddle::prove
