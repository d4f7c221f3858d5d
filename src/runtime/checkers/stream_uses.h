// Who uses a FILE and who closes it: closing one that another thread uses, with nothing to order
// the two, is a race, and using one that was closed is a use of freed memory. No use of a stream is
// a step.
#pragma once

#include <cstdint>

#include "races/race_detector.h"
#include "runtime/core/runtime.h"

namespace heddle {

void note_stream(const void* file, AccessKind kind, Address pc);  // Write: closes it

// What functions of the C library keep for all threads.
enum class LibraryState : uint8_t { strtok, hashed, users, groups, hosts, services, count };
void note_library_state(LibraryState state, Address pc);

}  // namespace heddle
