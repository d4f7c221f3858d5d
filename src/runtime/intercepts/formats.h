// What printf and scanf read and write, by their formats.
#pragma once

#include <cstdarg>
#include <cstddef>

#include "base/ids.h"

namespace heddle {

// The format itself, the strings that its arguments name, and what %n writes.
void format_accesses(const char* format, va_list list, Address pc);
// What scanf has written after it has returned `assigned`.
void scanned_accesses(const char* format, va_list list, int assigned, Address pc);

// Lengths without the end; `most` characters are looked at.
size_t length(const char* text, size_t most = ~size_t{0});
size_t wide_length(const wchar_t* text, size_t most = ~size_t{0});

}  // namespace heddle
