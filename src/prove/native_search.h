// Looks for a bug in native executions, where none could be led along the steps of a
// counterexample.
#pragma once

#include <optional>
#include <string>

#include "model/finding.h"
#include "prove/options.h"
#include "prove/result.h"

namespace heddle::prove {

// `program` is built for Visible::All; nothing unless a bug of that kind shows.
std::optional<Confirmation> search_natively(const std::string& heddle, const std::string& program,
                                            const ProveRequest& request, FindingKind kind);

}  // namespace heddle::prove
