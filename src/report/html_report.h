// The run as one HTML file that needs nothing else: lanes per thread, source, state at each step.
// The page itself is in viewer/; here its data is put together.
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle {

std::string html_report(const RunResult& result, const std::string& version);

}  // namespace heddle
