// `--witness`: the witness of a verdict, in a file.
#pragma once

#include <optional>
#include <string>

#include "cli/output_file.h"
#include "cli/result.h"
#include "frontend/frontend.h"
#include "prove/options.h"
#include "prove/result.h"

namespace heddle::prove {

// Opened before the search; nothing, if none is asked for.
Result<std::optional<OutputFile>> open_witness(const ProveRequest& request);

// Why no witness is written, as a sentence without a period; empty: it is in the file.
Result<std::string> write_witness(OutputFile& file, const ProveRequest& request,
                                  const frontend::Translation& translation,
                                  const ProveResult& result);

}  // namespace heddle::prove
