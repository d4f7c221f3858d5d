// One check whose words have been read: from the program to the report.
#pragma once

#include <optional>
#include <string>

#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/result.h"
#include "cli/session.h"

namespace heddle {

// `name` is what reports and traces are called after; "" for that of the program. `words` are those
// that the request was read from, `session` one that is to go on.
Result<int> run_check(const CheckRequest& request, const std::string& name, Words words,
                      std::optional<Session> session = std::nullopt);

}  // namespace heddle
