// The happens-before graph of each finding's execution in the language of Graphviz: a column per
// thread, an arrow for each order that does not follow from others.
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle {

std::string dot_report(const RunResult& result);

}  // namespace heddle
