// The program as a circuit, in a file for hardware model checkers.
#pragma once

#include <string>

#include "graph/graph.h"
#include "prove/options.h"

namespace heddle::prove {

// A sentence if it cannot be written.
std::string write_circuit(const graph::Program& program, const ProveOptions& options);

}  // namespace heddle::prove
