// What the kernel keeps for the process, so that what one thread changes another one finds: no
// object of a program lies at these addresses, nor has a descriptor or a thread such a number.
#pragma once

#include "base/ids.h"

namespace heddle {

inline constexpr Address kSignalActions{0x7ffb};     // what signals do
inline constexpr Address kWorkingDirectory{0x7ffa};  // where relative paths begin
inline constexpr Address kCreationMask{0x7ff9};      // of umask

}  // namespace heddle
