// Counts what another strategy covers.
#pragma once

#include <memory>

#include "explore/strategy.h"
#include "model/coverage_log.h"

namespace heddle {

// The same search, with a row in the log after each execution; the log begins anew.
std::unique_ptr<Strategy> with_coverage(std::unique_ptr<Strategy> inner, CoverageLog& log);

}  // namespace heddle
