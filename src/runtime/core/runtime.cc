#include "runtime/core/runtime.h"

namespace heddle {

Runtime g_runtime;

}  // namespace heddle
