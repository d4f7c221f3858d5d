// A file that the user names, read at once.
#pragma once

#include <string>

#include "cli/result.h"

namespace heddle {

// `what` is in it, for the error: "cannot read the suppressions in x: …".
Result<std::string> read_text(const std::string& file, const char* what);

}  // namespace heddle
