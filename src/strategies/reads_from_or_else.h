// The search that optimal-dpor is with --equivalence=reads-from.
#pragma once

#include <memory>

#include "explore/strategy.h"
#include "model/run_options.h"

namespace heddle {

std::unique_ptr<Strategy> make_reads_from_or_else(const RunOptions& options);

}  // namespace heddle
