// A format is walked along with the list of arguments: each directive says what type the next one
// has. Where a format numbers its arguments ("%1$s"), which nobody can walk along, only what came
// before counts.
#include "runtime/intercepts/formats.h"

#include <cstdint>

#include "runtime/intercepts/accesses.h"

namespace heddle {
namespace {

enum class Width : uint8_t { Char, Short, Int, Long, LongDouble };

// One directive: %[flags][width][.precision][length]conversion, of both families.
struct Directive {
  char conversion = '\0';  // '\0': the format has ended, or cannot be followed
  Width width = Width::Int;
  bool suppressed = false;  // scanf's *
  bool allocates = false;   // scanf's m
  bool width_given = false, precision_given = false;
  bool width_asked = false, precision_asked = false;  // printf's *
  size_t field = 0, precision = 0;
};

bool is_one_of(char c, const char* all) {
  for (; *all != '\0'; ++all)
    if (*all == c) return true;
  return false;
}

size_t number(const char*& at) {
  size_t value = 0;
  while (*at >= '0' && *at <= '9') value = value * 10 + static_cast<size_t>(*at++ - '0');
  return value;
}

void read_precision(const char*& at, Directive& d) {
  if (*at != '.') return;
  ++at;
  d.precision_given = true;
  d.precision_asked = *at == '*';
  if (d.precision_asked)
    ++at;
  else
    d.precision = number(at);
}

void read_length(const char*& at, Directive& d) {
  for (; is_one_of(*at, "hlLqjztm"); ++at) {
    switch (*at) {
      case 'h':
        d.width = d.width == Width::Short ? Width::Char : Width::Short;
        break;
      case 'L':
        d.width = Width::LongDouble;
        break;
      case 'm':
        d.allocates = true;
        break;
      default:
        d.width = Width::Long;
    }
  }
}

// The set of %[…]: a ] may be its first member.
void skip_set(const char*& at) {
  if (*at == '^') ++at;
  if (*at == ']') ++at;
  while (*at != '\0' && *at != ']') ++at;
  if (*at == ']') ++at;
}

enum class Family : uint8_t { Print, Scan };

Directive next_directive(const char*& at, Family family) {
  while (*at != '\0' && *at != '%') ++at;
  if (*at == '\0') return {};
  ++at;
  Directive d;
  if (family == Family::Print) {
    while (is_one_of(*at, "-+ #0'I")) ++at;
    d.width_asked = *at == '*';
    if (d.width_asked) ++at;
  } else if (*at == '*') {
    d.suppressed = true;
    ++at;
  }
  if (*at >= '0' && *at <= '9') {
    d.width_given = true;
    d.field = number(at);
  }
  if (*at == '$') return {};
  if (family == Family::Print) read_precision(at, d);
  if (*at == '$') return {};
  if (family == Family::Scan && *at == 'm' && at[1] == '\0') return {};
  if (family == Family::Scan || *at != 'm') read_length(at, d);
  d.conversion = *at;
  if (*at != '\0') ++at;
  if (family == Family::Scan && d.conversion == '[') skip_set(at);
  return d;
}

size_t bytes_of(Width width) {
  switch (width) {
    case Width::Char:
      return 1;
    case Width::Short:
      return 2;
    case Width::Int:
      return 4;
    case Width::Long:
      return 8;
    case Width::LongDouble:
      return 16;
  }
  return 0;
}

void read_text(const void* text, bool wide, size_t most, Address pc) {
  if (text == nullptr) return;
  const size_t long_as = wide ? wide_length(static_cast<const wchar_t*>(text), most)
                              : length(static_cast<const char*>(text), most);
  const size_t characters = long_as < most ? long_as + 1 : most;
  access_range(Op::Read, text, characters * (wide ? sizeof(wchar_t) : 1), pc);
}

struct Arguments {
  va_list list;
};

void take_printed(const Directive& d, size_t precision, Arguments& from, Address pc) {
  switch (d.conversion) {
    case 's':
    case 'S':
      read_text(va_arg(from.list, const void*), d.conversion == 'S' || d.width == Width::Long,
                precision, pc);
      break;
    case 'n':
      access_range(Op::Write, va_arg(from.list, void*), bytes_of(d.width), pc);
      break;
    case 'p':
      va_arg(from.list, void*);
      break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      if (d.width == Width::LongDouble)  // NOLINT(bugprone-branch-clone): of different types
        va_arg(from.list, long double);
      else
        va_arg(from.list, double);
      break;
    case 'm':
    case '%':
      break;
    default:
      // NOLINTNEXTLINE(bugprone-branch-clone): of different types
      if (d.width == Width::Long || d.width == Width::LongDouble)
        va_arg(from.list, long);
      else
        va_arg(from.list, int);
  }
}

size_t bytes_scanned(const Directive& d, const void* target) {
  const bool wide = d.width == Width::Long;
  const size_t each = wide ? sizeof(wchar_t) : 1;
  if (d.allocates) return sizeof(void*);
  switch (d.conversion) {
    case 's':
    case '[':
      return (wide ? wide_length(static_cast<const wchar_t*>(target))
                   : length(static_cast<const char*>(target))) *
                 each +
             each;
    case 'c':
      return (d.width_given ? d.field : 1) * each;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return d.width == Width::LongDouble ? 16 : d.width == Width::Long ? 8 : 4;
    case 'p':
      return sizeof(void*);
    default:
      return d.width == Width::LongDouble ? 8 : bytes_of(d.width);
  }
}

}  // namespace

size_t length(const char* text, size_t most) {
  size_t n = 0;
  while (n < most && text[n] != '\0') ++n;
  return n;
}

size_t wide_length(const wchar_t* text, size_t most) {
  size_t n = 0;
  while (n < most && text[n] != L'\0') ++n;
  return n;
}

void format_accesses(const char* format, va_list list, Address pc) {
  if (format == nullptr) return;
  access_range(Op::Read, format, length(format) + 1, pc);
  Arguments from;
  va_copy(from.list, list);
  for (const char* at = format;;) {
    const Directive d = next_directive(at, Family::Print);
    if (d.conversion == '\0') break;
    if (d.width_asked) va_arg(from.list, int);
    size_t precision = d.precision_given ? d.precision : ~size_t{0};
    if (d.precision_asked) {
      const int asked = va_arg(from.list, int);
      precision = asked < 0 ? ~size_t{0} : static_cast<size_t>(asked);
    }
    take_printed(d, precision, from, pc);
  }
  va_end(from.list);
}

void scanned_accesses(const char* format, va_list list, int assigned, Address pc) {
  Arguments from;
  va_copy(from.list, list);
  for (const char* at = format;;) {
    const Directive d = next_directive(at, Family::Scan);
    if (d.conversion == '\0') break;
    if (d.conversion == '%' || d.suppressed) continue;
    if (d.conversion != 'n' && assigned-- <= 0) break;
    const void* target = va_arg(from.list, const void*);
    if (target == nullptr) break;
    access_range(Op::Write, target, bytes_scanned(d, target), pc);
  }
  va_end(from.list);
}

}  // namespace heddle
