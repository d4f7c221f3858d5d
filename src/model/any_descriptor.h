// What waits for several descriptors at once wait for.
#pragma once

#include "base/ids.h"

namespace heddle {

// No object of a program lies there, nor has a descriptor or a thread this number.
inline constexpr Address kAnyDescriptor{0x7fff};

}  // namespace heddle
