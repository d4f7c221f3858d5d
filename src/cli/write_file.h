// Writes a whole file.
#pragma once

#include <string>
#include <string_view>

#include "cli/result.h"

namespace heddle {

// An error says which file, and why not.
Result<bool> write_file(const std::string& file, std::string_view text);

}  // namespace heddle
