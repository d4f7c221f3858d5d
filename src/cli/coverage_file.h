// Coverage as CSV: what --coverage writes and `heddle plot` reads.
#pragma once

#include <string>
#include <vector>

#include "cli/result.h"
#include "model/coverage_log.h"

namespace heddle {

// An error if the file cannot be written; called before the search, so that it is not in vain.
Result<bool> prepare_coverage(const std::string& file);
Result<bool> write_coverage(const std::string& file, const CoverageLog& log);
Result<std::vector<CoverageRow>> read_coverage(const std::string& file);

}  // namespace heddle
