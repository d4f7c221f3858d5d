// What Lua calls of the C library, where the library itself would not do (lua_symbols.txt): inside
// the tested process there is no stdio, and nothing may depend on the time or on the locale of the
// program. The rest of Lua's calls go to the C library as all of ours do.
#include <clocale>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "base/check.h"

extern "C" {

// Of the seeds for hashes and for choosing a pivot.
long heddle_lua_time() {
  return 0;
}
long heddle_lua_clock() {
  return 0;
}

lconv* heddle_lua_localeconv() {
  static char point[] = ".";
  static lconv plain;
  plain.decimal_point = point;
  return &plain;
}

int heddle_lua_strcoll(const char* a, const char* b) {
  return strcmp(a, b);
}

int heddle_lua_snprintf_chk(char* to, size_t most, int, size_t, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(to, most, format, arguments);
  va_end(arguments);
  return length;
}

void* heddle_lua_memcpy_chk(void* to, const void* from, size_t bytes, size_t) {
  return memcpy(to, from, bytes);
}

// Files are not among what scripts can use, memory is ours, and each call is protected.
// clang-format off
#define HEDDLE_LUA_UNUSED(X) \
  X(abort) \
  X(errno_location) \
  X(fclose) \
  X(feof) \
  X(ferror) \
  X(fflush) \
  X(fopen64) \
  X(fprintf_chk) \
  X(fputc) \
  X(fputs) \
  X(fread) \
  X(free) \
  X(freopen64) \
  X(fwrite) \
  X(getc) \
  X(realloc) \
  X(stack_chk_fail) \
  X(strerror)
// clang-format on
#define X(name)                        \
  void heddle_lua_##name() {           \
    HEDDLE_CHECK(!"Lua calls " #name); \
  }
HEDDLE_LUA_UNUSED(X)
#undef X

void* heddle_lua_stdin = nullptr;
void* heddle_lua_stdout = nullptr;
void* heddle_lua_stderr = nullptr;
}
