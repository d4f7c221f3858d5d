// The run as one JSON document; the fields are described in docs/heddle.1.
#pragma once

#include <string>

#include "report/run_result.h"

namespace heddle {

std::string json_report(const RunResult& result, const std::string& version);

}  // namespace heddle
