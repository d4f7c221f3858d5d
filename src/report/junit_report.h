// The run as JUnit XML, as continuous integration servers read it: one case for the search and one
// per finding.
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle {

std::string junit_report(const RunResult& result);

}  // namespace heddle
