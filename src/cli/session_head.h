// Which search a session is of, and whether it is still the same one.
#pragma once

#include <string>

#include "cli/check_options.h"
#include "cli/launch.h"
#include "cli/program.h"
#include "cli/result.h"
#include "cli/session.h"

namespace heddle {

// "" if the options name a search that a session can keep.
std::string session_complaint(const CheckOptions& options);

// Of the search that is about to be made; `words` are those of heddle check.
Result<SessionHead> session_head(const CheckRequest& request, const Program& program,
                                 const Target& target, std::span<const std::string> words);

// "" if what is about to be searched is what the session is of.
std::string session_mismatch(const Session& session, const SessionHead& now);

}  // namespace heddle
