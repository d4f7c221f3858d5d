// The search tells races apart by their instructions, and leaks by their blocks; a reader means
// statements.
#pragma once

#include <vector>

#include "trace/trace.h"

namespace heddle {

// A race is one per variable and unordered pair of lines of functions: a statement that reads and
// writes races once. Where both accesses are made in a library, on behalf of these lines, its
// object is the variable, with all that belongs to it. A leak is one per line that allocates. Of
// each the simplest execution stays, with the count of the one most often seen.
void merge_findings(std::vector<Trace>& traces);

}  // namespace heddle
