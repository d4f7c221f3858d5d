// Copies, fills and comparisons of the C library (HEDDLE_LIBRARY_COPIES), named by label as in
// library.cc. What does the work is in block_operations.cc: here, memcpy is the program's.
#include "runtime/core/runtime.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/formats.h"

using namespace heddle;

#define COPY(Result, name, ...)                                       \
  HEDDLE_EXPORT Result heddle_library_##name(__VA_ARGS__) asm(#name); \
  Result heddle_library_##name(__VA_ARGS__)

COPY(int, memcmp, const void* a, const void* b, size_t n) {
  return compare_blocks(a, b, n, HEDDLE_CALLER);
}
COPY(int, bcmp, const void* a, const void* b, size_t n) {
  return compare_blocks(a, b, n, HEDDLE_CALLER);
}
COPY(void*, memcpy, void* to, const void* from, size_t n) {
  copy_block(to, from, n, HEDDLE_CALLER);
  return to;
}
COPY(void*, memmove, void* to, const void* from, size_t n) {
  copy_block(to, from, n, HEDDLE_CALLER);
  return to;
}
COPY(void*, mempcpy, void* to, const void* from, size_t n) {
  copy_block(to, from, n, HEDDLE_CALLER);
  return static_cast<char*>(to) + n;
}
COPY(void*, __mempcpy, void* to, const void* from, size_t n) {
  copy_block(to, from, n, HEDDLE_CALLER);
  return static_cast<char*>(to) + n;
}
COPY(void*, memset, void* to, int value, size_t n) {
  fill_block(to, value, n, HEDDLE_CALLER);
  return to;
}
COPY(void, bcopy, const void* from, void* to, size_t n) {
  copy_block(to, from, n, HEDDLE_CALLER);
}
COPY(char*, strcpy, char* to, const char* from) {
  copy_block(to, from, length(from) + 1, HEDDLE_CALLER);
  return to;
}
COPY(char*, stpcpy, char* to, const char* from) {
  const size_t n = length(from);
  copy_block(to, from, n + 1, HEDDLE_CALLER);
  return to + n;
}
COPY(char*, __stpcpy, char* to, const char* from) {
  const size_t n = length(from);
  copy_block(to, from, n + 1, HEDDLE_CALLER);
  return to + n;
}
COPY(char*, strncpy, char* to, const char* from, size_t n) {
  copy_and_fill(to, from, n, HEDDLE_CALLER);
  return to;
}
COPY(char*, stpncpy, char* to, const char* from, size_t n) {
  return to + copy_and_fill(to, from, n, HEDDLE_CALLER);
}
COPY(char*, strcat, char* to, const char* from) {
  append(to, from, ~size_t{0}, HEDDLE_CALLER);
  return to;
}
COPY(char*, strncat, char* to, const char* from, size_t n) {
  append(to, from, n, HEDDLE_CALLER);
  return to;
}

COPY(void*, __memcpy_chk, void* to, const void* from, size_t n, size_t room) {
  must_fit(n, room);
  copy_block(to, from, n, HEDDLE_CALLER);
  return to;
}
COPY(void*, __memmove_chk, void* to, const void* from, size_t n, size_t room) {
  must_fit(n, room);
  copy_block(to, from, n, HEDDLE_CALLER);
  return to;
}
COPY(void*, __mempcpy_chk, void* to, const void* from, size_t n, size_t room) {
  must_fit(n, room);
  copy_block(to, from, n, HEDDLE_CALLER);
  return static_cast<char*>(to) + n;
}
COPY(void*, __memset_chk, void* to, int value, size_t n, size_t room) {
  must_fit(n, room);
  fill_block(to, value, n, HEDDLE_CALLER);
  return to;
}
COPY(char*, __strcpy_chk, char* to, const char* from, size_t room) {
  must_fit(length(from) + 1, room);
  copy_block(to, from, length(from) + 1, HEDDLE_CALLER);
  return to;
}
COPY(char*, __stpcpy_chk, char* to, const char* from, size_t room) {
  const size_t n = length(from);
  must_fit(n + 1, room);
  copy_block(to, from, n + 1, HEDDLE_CALLER);
  return to + n;
}
COPY(char*, __strncpy_chk, char* to, const char* from, size_t n, size_t room) {
  must_fit(n, room);
  copy_and_fill(to, from, n, HEDDLE_CALLER);
  return to;
}
COPY(char*, __stpncpy_chk, char* to, const char* from, size_t n, size_t room) {
  must_fit(n, room);
  return to + copy_and_fill(to, from, n, HEDDLE_CALLER);
}
COPY(char*, __strcat_chk, char* to, const char* from, size_t room) {
  must_fit(length(to) + length(from) + 1, room);
  append(to, from, ~size_t{0}, HEDDLE_CALLER);
  return to;
}
COPY(char*, __strncat_chk, char* to, const char* from, size_t n, size_t room) {
  must_fit(length(to) + length(from, n) + 1, room);
  append(to, from, n, HEDDLE_CALLER);
  return to;
}
