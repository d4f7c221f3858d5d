// The guarantee in words.
#pragma once

#include <string>

#include "model/guarantee.h"
#include "report/run_result.h"

namespace heddle {

// A sentence without its final period.
std::string in_words(const Guarantee& guarantee);

// Of a run that ended with neither a finding nor a guarantee.
std::string why_undecided(const RunResult& result);

}  // namespace heddle
