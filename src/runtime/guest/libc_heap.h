// glibc's own allocator behind our interposed malloc: for blocks from before we took over.
#pragma once

#include <cstddef>

extern "C" {
void* __libc_malloc(size_t bytes);
void __libc_free(void* block);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* block, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
}
