#include "runtime/guest/switches.h"

namespace heddle {

constinit Switches g_switches;

}  // namespace heddle
