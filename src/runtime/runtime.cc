#include "runtime/runtime.h"

namespace heddle {

Runtime g_runtime;

}  // namespace heddle
