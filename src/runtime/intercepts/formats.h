// What printf and scanf read and write, by their formats.
#pragma once

#include <cstdarg>
#include <cstddef>

#include "base/ids.h"

namespace heddle {

// The format itself where it lies in the program's memory, the strings that its arguments name, and
// what %n writes.
void format_accesses(const char* format, va_list list, Address pc);
// What scanf has written after it has returned `assigned`.
void scanned_accesses(const char* format, va_list list, int assigned, Address pc);

// A wide format as one of characters, which directives consist of in any case. Of one that is too
// long the rest does not count.
class NarrowFormat {
 public:
  explicit NarrowFormat(const wchar_t* wide);
  const char* text() const { return text_; }

 private:
  char text_[1024];
};
void format_accesses(const NarrowFormat& format, va_list list, Address pc);
void scanned_accesses(const NarrowFormat& format, va_list list, int assigned, Address pc);

// Lengths without the end; `most` characters are looked at.
size_t length(const char* text, size_t most = ~size_t{0});
size_t wide_length(const wchar_t* text, size_t most = ~size_t{0});

}  // namespace heddle
