// What the command line's exit status means, for every command.
#pragma once

namespace heddle {

inline constexpr int kExitPass = 0;     // nothing found, and the stated guarantee reached
inline constexpr int kExitFail = 1;     // a bug found
inline constexpr int kExitError = 2;    // a mistake of the user's, or the environment's
inline constexpr int kExitUnknown = 3;  // a budget ended first, or a replay went another way

}  // namespace heddle
