// A format is walked along with the list of arguments: each directive says what type the next one
// has. Where a format numbers its arguments ("%2$s"), the list is walked along once all of their
// types are known; such formats with more than kMostNumbered arguments are not followed.
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
  size_t number = 0, width_number = 0, precision_number = 0;  // from 1, where they are given
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

// "3$" as 3; 0 and nothing read where it is something else.
size_t position(const char*& at) {
  const char* end = at;
  const size_t value = number(end);
  if (value == 0 || *end != '$') return 0;
  at = end + 1;
  return value;
}

void read_precision(const char*& at, Directive& d) {
  if (*at != '.') return;
  ++at;
  d.precision_given = true;
  d.precision_asked = *at == '*';
  if (!d.precision_asked) {
    d.precision = number(at);
    return;
  }
  ++at;
  d.precision_number = position(at);
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
  d.number = position(at);
  if (family == Family::Print) {
    while (is_one_of(*at, "-+ #0'I")) ++at;
    d.width_asked = *at == '*';
    if (d.width_asked) {
      ++at;
      d.width_number = position(at);
    }
  } else if (*at == '*') {
    d.suppressed = true;
    ++at;
  }
  if (*at >= '0' && *at <= '9') {
    d.width_given = true;
    d.field = number(at);
  }
  if (family == Family::Print) read_precision(at, d);
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

enum class Type : uint8_t { None, Int, Long, Double, LongDouble, Pointer };

Type type_of(const Directive& d) {
  switch (d.conversion) {
    case 's':
    case 'S':
    case 'n':
    case 'p':
      return Type::Pointer;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return d.width == Width::LongDouble ? Type::LongDouble : Type::Double;
    case 'm':
    case '%':
      return Type::None;
    default:
      return d.width == Width::Long || d.width == Width::LongDouble ? Type::Long : Type::Int;
  }
}

// The next argument, as far as it says where memory is accessed.
// NOLINTBEGIN(bugprone-branch-clone): the types of va_arg are told apart by the compiler only.
uint64_t take(Type type, Arguments& from) {
  switch (type) {
    case Type::None:
      return 0;
    case Type::Int:
      return static_cast<uint64_t>(va_arg(from.list, int));
    case Type::Long:
      return static_cast<uint64_t>(va_arg(from.list, long));
    case Type::Double:
      va_arg(from.list, double);
      return 0;
    case Type::LongDouble:
      va_arg(from.list, long double);
      return 0;
    case Type::Pointer:
      return reinterpret_cast<uint64_t>(va_arg(from.list, void*));
  }
  return 0;
}
// NOLINTEND(bugprone-branch-clone)

// What a directive of printf does with its argument.
void print(const Directive& d, uint64_t argument, size_t precision, Address pc) {
  auto* const target = reinterpret_cast<void*>(argument);
  if (d.conversion == 's' || d.conversion == 'S')
    read_text(target, d.conversion == 'S' || d.width == Width::Long, precision, pc);
  if (d.conversion == 'n') access_range(Op::Write, target, bytes_of(d.width), pc);
}

size_t precision_asked(uint64_t argument) {
  const auto asked = static_cast<int>(argument);
  return asked < 0 ? ~size_t{0} : static_cast<size_t>(asked);
}

constexpr size_t kMostNumbered = 64;

// The arguments of a format that numbers them.
class Numbered {
 public:
  // False where they cannot be found.
  bool read(const char* format, Family family, Arguments& from) {
    Type types[kMostNumbered] = {};
    size_t count = 0;
    const auto note = [&](size_t number, Type type) {
      if (number == 0) return;
      if (number > count) count = number;
      if (number <= kMostNumbered) types[number - 1] = type;
    };
    for (const char* at = format;;) {
      const Directive d = next_directive(at, family);
      if (d.conversion == '\0') break;
      note(d.number, family == Family::Scan ? Type::Pointer : type_of(d));
      note(d.width_number, Type::Int);
      note(d.precision_number, Type::Int);
    }
    if (count > kMostNumbered) return false;
    for (size_t i = 0; i < count; ++i) {
      if (types[i] == Type::None) return false;
      values_[i] = take(types[i], from);
    }
    return true;
  }
  uint64_t operator[](size_t number) const {
    return number == 0 || number > kMostNumbered ? 0 : values_[number - 1];
  }

 private:
  uint64_t values_[kMostNumbered] = {};
};

bool numbers_arguments(const char* format, Family family) {
  for (const char* at = format;;) {
    const Directive d = next_directive(at, family);
    if (d.conversion == '\0') return false;
    if (d.number != 0) return true;
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

namespace {

void accesses_of_numbered(const char* format, Arguments& from, Address pc) {
  Numbered arguments;
  if (!arguments.read(format, Family::Print, from)) return;
  for (const char* at = format;;) {
    const Directive d = next_directive(at, Family::Print);
    if (d.conversion == '\0') break;
    size_t precision = d.precision_given ? d.precision : ~size_t{0};
    if (d.precision_asked) precision = precision_asked(arguments[d.precision_number]);
    print(d, arguments[d.number], precision, pc);
  }
}

void accesses_in_turn(const char* format, Arguments& from, Address pc) {
  for (const char* at = format;;) {
    const Directive d = next_directive(at, Family::Print);
    if (d.conversion == '\0') break;
    if (d.width_asked) take(Type::Int, from);
    size_t precision = d.precision_given ? d.precision : ~size_t{0};
    if (d.precision_asked) precision = precision_asked(take(Type::Int, from));
    print(d, take(type_of(d), from), precision, pc);
  }
}

void accesses_of_arguments(const char* format, va_list list, Address pc) {
  Arguments from;
  va_copy(from.list, list);
  if (numbers_arguments(format, Family::Print))
    accesses_of_numbered(format, from, pc);
  else
    accesses_in_turn(format, from, pc);
  va_end(from.list);
}

}  // namespace

void format_accesses(const char* format, va_list list, Address pc) {
  if (format == nullptr) return;
  access_range(Op::Read, format, length(format) + 1, pc);
  accesses_of_arguments(format, list, pc);
}

void format_accesses(const NarrowFormat& format, va_list list, Address pc) {
  accesses_of_arguments(format.text(), list, pc);
}

void scanned_accesses(const char* format, va_list list, int assigned, Address pc) {
  Arguments from;
  va_copy(from.list, list);
  Numbered arguments;
  const bool numbered = numbers_arguments(format, Family::Scan);
  if (numbered && !arguments.read(format, Family::Scan, from)) assigned = 0;
  for (const char* at = format;;) {
    const Directive d = next_directive(at, Family::Scan);
    if (d.conversion == '\0') break;
    if (d.conversion == '%' || d.suppressed) continue;
    if (d.conversion != 'n' && assigned-- <= 0) break;
    const uint64_t target = numbered ? arguments[d.number] : take(Type::Pointer, from);
    if (target == 0) break;
    const auto* to = reinterpret_cast<const void*>(target);
    access_range(Op::Write, to, bytes_scanned(d, to), pc);
  }
  va_end(from.list);
}

void scanned_accesses(const NarrowFormat& format, va_list list, int assigned, Address pc) {
  scanned_accesses(format.text(), list, assigned, pc);
}

NarrowFormat::NarrowFormat(const wchar_t* wide) {
  size_t n = 0;
  for (; n + 1 < sizeof text_ && wide[n] != L'\0'; ++n)
    text_[n] = wide[n] > 0 && wide[n] < 0x80 ? static_cast<char>(wide[n]) : '?';
  text_[n] = '\0';
}

}  // namespace heddle
