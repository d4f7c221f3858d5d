// Coverage as CSV: what --coverage writes and `heddle plot` reads.
#pragma once

#include <string>
#include <vector>

#include "cli/result.h"
#include "model/coverage_log.h"

namespace heddle {

std::string coverage_text(const CoverageLog& log);
Result<std::vector<CoverageRow>> read_coverage(const std::string& file);

}  // namespace heddle
