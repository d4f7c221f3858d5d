// Where libheddle.so is.
#pragma once

#include <string>

#include "cli/result.h"

namespace heddle {

// HEDDLE_LIBRARY if set, else relative to the running executable: in the build tree or installed.
Result<std::string> find_library();

// A file that is installed in share/heddle.
Result<std::string> find_shared_file(const std::string& name);

}  // namespace heddle
