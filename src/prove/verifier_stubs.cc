#include "prove/verifier_stubs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "graph/evaluate.h"

namespace heddle::prove {
namespace {

constexpr std::string_view kNondet = "__VERIFIER_nondet_";

enum class Sign : uint8_t { None, TwosComplement };

struct InputType {
  std::string_view suffix;
  std::string_view type;
  uint32_t bits;
  Sign sign;
};
constexpr InputType kInputTypes[] = {
    {"bool", "_Bool", 1, Sign::None},
    {"char", "char", 8, Sign::TwosComplement},
    {"uchar", "unsigned char", 8, Sign::None},
    {"short", "short", 16, Sign::TwosComplement},
    {"ushort", "unsigned short", 16, Sign::None},
    {"int", "int", 32, Sign::TwosComplement},
    {"uint", "unsigned int", 32, Sign::None},
    {"unsigned", "unsigned int", 32, Sign::None},
    {"unsigned_int", "unsigned int", 32, Sign::None},
    {"u8", "unsigned char", 8, Sign::None},
    {"u16", "unsigned short", 16, Sign::None},
    {"u32", "unsigned int", 32, Sign::None},
    {"long", "long", 64, Sign::TwosComplement},
    {"ulong", "unsigned long", 64, Sign::None},
    {"longlong", "long long", 64, Sign::TwosComplement},
    {"ulonglong", "unsigned long long", 64, Sign::None},
    {"size_t", "unsigned long", 64, Sign::None},
    {"loff_t", "long long", 64, Sign::TwosComplement},
};

const InputType* type_of(std::string_view function) {
  if (!function.starts_with(kNondet)) return nullptr;
  for (const InputType& row : kInputTypes)
    if (row.suffix == function.substr(kNondet.size())) return &row;
  return nullptr;
}

constexpr std::string_view kHead =
    "#include <assert.h>\n"
    "#include <heddle/heddle.h>\n"
    "#define UNSEEN __attribute__((no_sanitize(\"thread\")))\n";

std::string body_of(const std::string& function) {
  if (function.starts_with(kNondet)) {
    const InputType* row = type_of(function);
    if (row == nullptr) return "";
    return fmt::format("UNSEEN {} {}(void) {{ return ({})next_input(); }}\n", row->type, function,
                       row->type);
  }
  if (function == "__VERIFIER_assume")
    return "void __VERIFIER_assume(int holds) { heddle_assume(holds); }\n";
  if (function == "__VERIFIER_atomic_begin")
    return "void __VERIFIER_atomic_begin(void) { heddle_atomic_begin(); }\n";
  if (function == "__VERIFIER_atomic_end")
    return "void __VERIFIER_atomic_end(void) { heddle_atomic_end(); }\n";
  if (function == "__VERIFIER_error" || function == "reach_error")
    return fmt::format("void {}(void) {{ assert(!\"{} is called\"); }}\n", function, function);
  return "";
}

}  // namespace

std::string input_constant(std::string_view function, uint64_t value) {
  const InputType* row = type_of(function);
  if (row == nullptr) return "";
  const uint64_t low = value & graph::mask_of(row->bits);
  const bool negative = row->sign == Sign::TwosComplement && (low >> (row->bits - 1) & 1) != 0;
  if (!negative) return fmt::format("{}{}", low, low >> 63 != 0 ? "U" : "");
  const uint64_t magnitude = (~low + 1) & graph::mask_of(row->bits);
  // That of the least of 64 bits is no value of the type.
  return magnitude >> 63 != 0 ? fmt::format("(-{} - 1)", magnitude - 1)
                              : fmt::format("-{}", magnitude);
}

std::string verifier_stubs(const std::vector<std::string>& functions,
                           const std::vector<uint64_t>& inputs) {
  std::string text(kHead);
  text += fmt::format("static const unsigned long long inputs[] = {{{}0}};\n", [&] {
    std::string list;
    for (uint64_t input : inputs) list += fmt::format("{}ull, ", input);
    return list;
  }());
  text += fmt::format(
      "static unsigned used;\n"
      "UNSEEN __attribute__((unused)) static unsigned long long next_input(void) {{\n"
      "  return used < {} ? inputs[used++] : 0;\n}}\n",
      inputs.size());
  for (const std::string& function : functions) text += body_of(function);
  return text;
}

}  // namespace heddle::prove
