// Whether a program graph is well formed.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace heddle::graph {

// A sentence for each thing that is wrong, without a period; none if all is well. Whoever runs a
// graph relies on what is asked for here.
std::vector<std::string> problems_of(const Program& program);

}  // namespace heddle::graph
