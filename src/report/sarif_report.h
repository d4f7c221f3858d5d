// The run in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS): one result per
// finding, with one thread flow per thread; the steps' execution orders give the interleaving.
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle {

std::string sarif_report(const RunResult& result, const std::string& version);

}  // namespace heddle
