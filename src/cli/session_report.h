// How far the search of a session has come, in words.
#pragma once

#include <string>

#include "cli/session.h"

namespace heddle {

std::string session_text(Session& session);
std::string session_json(Session& session);

// 0, 1 or 3, as of the check; 3 where it has not ended.
int session_exit_status(const Session& session);

}  // namespace heddle
