// The functions we interpose, as the next library in line defines them.
#pragma once

#include <dlfcn.h>
#include <pthread.h>

namespace heddle::real {

void* resolve(const char* name);  // CHECKs that it exists

// real::f() is a pointer to the real f, looked up once.
#define HEDDLE_REAL(name)                                                            \
  inline decltype(&::name) name() {                                                  \
    static decltype(&::name) found = nullptr;                                        \
    if (found == nullptr) found = reinterpret_cast<decltype(found)>(resolve(#name)); \
    return found;                                                                    \
  }

HEDDLE_REAL(pthread_create)

}  // namespace heddle::real
