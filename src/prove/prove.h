// `heddle prove`: sources in, verdict out.
#pragma once

#include "cli/result.h"
#include "prove/options.h"

namespace heddle::prove {

// The exit status.
Result<int> prove(const ProveRequest& request);

}  // namespace heddle::prove
