// The explorer's memory: shared between all processes of one search, at the same address in each
// (channel.h says why). `new` and `delete` inside libheddle go here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

// Maps the arena part of the channel. False if the kernel refuses.
bool map_arena(int channel_descriptor);

void* arena_allocate(size_t bytes);
void arena_free(void* block);
size_t arena_usable_size(const void* block);
bool in_arena(const void* block);
// Bytes that were ever in use; 0 without an arena.
uint64_t arena_used();

}  // namespace heddle
