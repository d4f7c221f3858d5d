// What malloc, operator new and their relatives have in common.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/runtime.h"

namespace heddle {

// Whose call is it? Before the executable's start-up code runs, glibc's own allocator serves.
enum class Server : uint8_t { Libc, Arena, Heap };
Server server();

// From the program's heap; null, and errno set, if there is no room.
void* allocate(size_t bytes, size_t alignment, BlockKind kind);
// `kind` is what the block should be to be released like this.
void release(void* block, Address pc, BlockKind kind);

// From now on, blocks must be released as they were allocated, unless the program brings operators
// of its own: those may be halves of pairs.
void check_block_kinds();
bool program_replaces_operators();

}  // namespace heddle
