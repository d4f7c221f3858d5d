#include "runtime/checkers/library_caches.h"

#include <dlfcn.h>

#include <cstring>

#include "runtime/core/runtime.h"

namespace heddle {

bool in_library_cache(uint64_t address) {
  RuntimeScope scope;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(address), &info) == 0) return false;
  return info.dli_sname == nullptr && info.dli_fname != nullptr &&
         strstr(info.dli_fname, "/libstdc++.so") != nullptr;
}

}  // namespace heddle
