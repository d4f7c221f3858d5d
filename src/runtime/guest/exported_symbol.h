// What a loaded library exports, read from its tables: a search by libc takes its locks, allocates,
// and leaves its failures for dlerror.
#pragma once

#include <link.h>

#include <cstdint>

namespace heddle {

// `dynamic` and `base` are the library's. Null if it exports no such name.
void* exported_symbol(const ElfW(Dyn) * dynamic, uint64_t base, const char* name);
// The same of the first loaded library whose path contains `library`.
void* exported_symbol(const char* library, const char* name);

}  // namespace heddle
