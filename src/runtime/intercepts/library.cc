// The C library's own accesses to the program's memory: each function of the table
// (model/library_functions.h) tells of what it reads and writes, as code compiled for us does, and
// lets the real one do the work. Only where it is the program that calls.
//
// The functions get their names by label: the C++ library declares some of them in other ways, and
// the compiler knows too much about the names.
#include <arpa/inet.h>
#include <dirent.h>
#include <glob.h>
#include <iconv.h>
#include <netinet/in.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include <cstdarg>

#include "model/library_functions.h"
#include "model/thread_functions.h"
#include "runtime/checkers/descriptor_uses.h"
#include "runtime/checkers/stream_uses.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/formats.h"

namespace heddle {
namespace {

// As many bytes as a comparison of strings looks at.
size_t same_part(const char* a, const char* b, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (a[i] != b[i] || a[i] == '\0') return i + 1;
  return n;
}

// For comparisons that do not go by bytes alone: up to the end of the shorter.
size_t shorter(const char* a, const char* b, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (a[i] == '\0' || b[i] == '\0') return i + 1;
  return n;
}

// From p up to the place found, all of n where nothing was.
size_t up_to(const void* p, const void* found, size_t n) {
  if (found == nullptr) return n;
  return static_cast<size_t>(static_cast<const char*>(found) - static_cast<const char*>(p)) + 1;
}

// The same where the result points behind.
size_t up_to_end(const void* p, const void* end, size_t n) {
  return end == nullptr ? n : up_to(p, end, n) - 1;
}

// How much of the text may belong to a number, with the character that ends it.
template <typename Character>
size_t number_in(const Character* text) {
  size_t n = 0;
  while (text[n] == ' ' || (text[n] >= '\t' && text[n] <= '\r')) ++n;
  const auto part = [](Character c) {
    const auto lower = static_cast<Character>(c | 0x20);
    return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '+' || c == '-' ||
           c == '.';
  };
  while (part(text[n])) ++n;
  return n + 1;
}

// What a bounded printf has put into room for n.
size_t printed(int result, size_t n) {
  if (result < 0 || n == 0) return 0;
  const size_t all = static_cast<size_t>(result) + 1;
  return all < n ? all : n;
}

// Where a conversion of character sets began to read and to write; both are null where it only
// starts anew.
struct Converted {
  Converted(char* const* source, char* const* target)
      : from(source == nullptr ? nullptr : *source), to(target == nullptr ? nullptr : *target) {}
  size_t read(char* const* source) const { return passed(from, source); }
  size_t written(char* const* target) const { return passed(to, target); }
  const char* from;
  const char* to;

 private:
  static size_t passed(const char* begin, char* const* end) {
    return begin == nullptr ? 0 : static_cast<size_t>(*end - begin);
  }
};

// An element of a list as insque and remque know it.
struct Linked {
  void* next;
  void* previous;
};

const Linked& linked(const void* element) {
  return *static_cast<const Linked*>(element);
}
void* const* next_of(const void* element) {
  return element == nullptr ? nullptr : &linked(element).next;
}
void* const* previous_of(const void* element) {
  return element == nullptr ? nullptr : &linked(element).previous;
}

size_t address_bytes(int family) {
  return family == AF_INET6 ? sizeof(in6_addr) : sizeof(in_addr);
}

void range(Op op, const volatile void* p, size_t n, Address pc) {
  if (p != nullptr) access_range(op, p, n, pc);
}

// How much is read may depend on what is there: where that is a step, other threads may have
// changed it before, and the rest is read by another one.
template <typename Size>
void read_range(const volatile void* p, Size size, Address pc) {
  if (p == nullptr) return;
  size_t told = 0;
  for (size_t n = size(); n > told; n = size()) {
    access_range(Op::Read, p, n, pc);
    if ((g_switches.accesses & kAccessesNotable) == 0) return;
    told = n;
  }
}

// With the end, where it is one of those that are looked at.
size_t with_end(size_t length, size_t most) {
  return length < most ? length + 1 : length;
}

void read_string(const char* s, size_t most, Address pc) {
  read_range(
      s, [=] { return with_end(length(s, most), most); }, pc);
}

void read_wide(const wchar_t* s, size_t most, Address pc) {
  read_range(
      s, [=] { return with_end(wide_length(s, most), most) * sizeof *s; }, pc);
}

bool matters() {
  return g_switches.accesses != 0 && explored();
}

}  // namespace
}  // namespace heddle

using namespace heddle;

#define R(p, n) \
  read_range(   \
      p, [&]() -> size_t { return n; }, pc)
#define W(p, n) range(Op::Write, p, n, pc)
#define RS(s) read_string(s, ~size_t{0}, pc)
#define RS_MOST(s, n) read_string(s, n, pc)
#define RW(s) read_wide(s, ~size_t{0}, pc)
#define RW_MOST(s, n) read_wide(s, n, pc)
#define WS(s) range(Op::Write, s, length(s) + 1, pc)
#define WW(s) range(Op::Write, s, (wide_length(s) + 1) * sizeof(wchar_t), pc)
#define R_FORMAT(f, list) format_accesses(f, list, pc)
#define W_SCANNED(f, list, n) scanned_accesses(f, list, n, pc)
#define R_WIDE_FORMAT(f, list) \
  RW(f);                       \
  format_accesses(NarrowFormat(f), list, pc)
#define W_WIDE_SCANNED(f, list, n) scanned_accesses(NarrowFormat(f), list, n, pc)
#define USES(descriptor) uses_descriptor(descriptor, pc)
#define STREAM(file) note_stream(file, AccessKind::Read, pc)
#define CLOSES(file) note_stream(file, AccessKind::Write, pc)
#define STATE(name) note_library_state(LibraryState::name, pc)

// Each function comes twice: the exported one knows who calls, the other one does the work.
#define WITH_PC(...) (Address pc __VA_OPT__(, ) __VA_ARGS__)
#define CALLER_AND(...) (HEDDLE_CALLER __VA_OPT__(, ) __VA_ARGS__)

#define FUNCTION(Result, name, parameters, arguments, before, after)                    \
  static Result at_##name WITH_PC parameters {                                          \
    static Result(*real) parameters = nullptr;                                          \
    if (real == nullptr) real = reinterpret_cast<decltype(real)>(real::resolve(#name)); \
    if (!matters()) return real arguments;                                              \
    before;                                                                             \
    Result result = real arguments;                                                     \
    after;                                                                              \
    return result;                                                                      \
  }                                                                                     \
  HEDDLE_EXPORT Result heddle_library_##name parameters asm(#name);                     \
  Result heddle_library_##name parameters {                                             \
    return at_##name CALLER_AND arguments;                                              \
  }
HEDDLE_LIBRARY_FUNCTIONS(FUNCTION)
HEDDLE_ATTRIBUTE_FUNCTIONS(FUNCTION)

#define SEARCH(Result, name, parameters, arguments, before, after)                      \
  static Result at_##name WITH_PC parameters {                                          \
    static Result(*real) parameters = nullptr;                                          \
    if (real == nullptr) real = reinterpret_cast<decltype(real)>(real::resolve(#name)); \
    Result result = real arguments;                                                     \
    if (!matters()) return result;                                                      \
    before;                                                                             \
    for (Result told = result;; told = result) {                                        \
      after;                                                                            \
      result = real arguments;                                                          \
      if (result == told) return result;                                                \
    }                                                                                   \
  }                                                                                     \
  HEDDLE_EXPORT Result heddle_library_##name parameters asm(#name);                     \
  Result heddle_library_##name parameters {                                             \
    return at_##name CALLER_AND arguments;                                              \
  }
HEDDLE_LIBRARY_SEARCHES(SEARCH)

#define PROCEDURE(name, parameters, arguments, before, after)                           \
  static void at_##name WITH_PC parameters {                                            \
    static void(*real) parameters = nullptr;                                            \
    if (real == nullptr) real = reinterpret_cast<decltype(real)>(real::resolve(#name)); \
    if (!matters()) return real arguments;                                              \
    before;                                                                             \
    real arguments;                                                                     \
    after;                                                                              \
  }                                                                                     \
  HEDDLE_EXPORT void heddle_library_##name parameters asm(#name);                       \
  void heddle_library_##name parameters {                                               \
    at_##name CALLER_AND arguments;                                                     \
  }
HEDDLE_LIBRARY_PROCEDURES(PROCEDURE)

#define AND_FORMAT(...) (__VA_ARGS__ __VA_OPT__(, ) const char* f, ...)
#define AND_WIDE_FORMAT(...) (__VA_ARGS__ __VA_OPT__(, ) const wchar_t* f, ...)
#define AND_LIST(...) (HEDDLE_CALLER, __VA_ARGS__ __VA_OPT__(, ) f, list)

#define WITH_LIST(name, with_list, formal, arguments)        \
  HEDDLE_EXPORT int heddle_library_##name formal asm(#name); \
  int heddle_library_##name formal {                         \
    va_list list;                                            \
    va_start(list, f);                                       \
    const int result = at_##with_list AND_LIST arguments;    \
    va_end(list);                                            \
    return result;                                           \
  }
#define FORMAT(name, with_list, parameters, arguments) \
  WITH_LIST(name, with_list, AND_FORMAT parameters, arguments)
#define WIDE_FORMAT(name, with_list, parameters, arguments) \
  WITH_LIST(name, with_list, AND_WIDE_FORMAT parameters, arguments)
HEDDLE_LIBRARY_FORMATS(FORMAT)
HEDDLE_LIBRARY_WIDE_FORMATS(WIDE_FORMAT)
