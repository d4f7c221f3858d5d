#include "runtime/guest/real.h"

#include "base/check.h"

namespace heddle::real {

void* resolve(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  HEDDLE_CHECK(found != nullptr);
  return found;
}

}  // namespace heddle::real
