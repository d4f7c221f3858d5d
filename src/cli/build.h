// `heddle check` on sources: compiles them into the cache, where a later replay finds the program.
#pragma once

#include <string>

#include "cli/check_options.h"
#include "cli/result.h"

namespace heddle {

// Why a source cannot be read; "" if it can.
std::string unreadable_source(const std::string& file);

bool names_sources(const CheckRequest& request);

// The path of the program. The compiler's own messages go to standard error.
Result<std::string> build_program(const CheckRequest& request, const std::string& library);

}  // namespace heddle
