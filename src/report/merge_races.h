// The search tells races apart by their instructions; a reader means statements.
#pragma once

#include <vector>

#include "trace/trace.h"

namespace heddle {

// A race is one per variable and unordered pair of lines of functions: a statement that reads and
// writes races once. Of each the simplest execution stays, with the count of the one most often
// seen.
void merge_races(std::vector<Trace>& traces);

}  // namespace heddle
