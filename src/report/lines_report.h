// A run as lines of a key and a value, for programs without a JSON parser (heddle/check.h).
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle {

// One fact per line; "finding KIND" begins those of a bug. Values are escaped as in trace files
// (\n, \t, \\, \xNN), so that each stays on its line.
std::string lines_report(const RunResult& result);

}  // namespace heddle
