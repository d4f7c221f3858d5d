#include "prove/verifier_stubs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace heddle::prove {
namespace {

constexpr std::string_view kNondet = "__VERIFIER_nondet_";

struct InputType {
  std::string_view suffix;
  std::string_view type;
};
constexpr InputType kInputTypes[] = {
    {"bool", "_Bool"},
    {"char", "char"},
    {"uchar", "unsigned char"},
    {"short", "short"},
    {"ushort", "unsigned short"},
    {"int", "int"},
    {"uint", "unsigned int"},
    {"unsigned", "unsigned int"},
    {"unsigned_int", "unsigned int"},
    {"u8", "unsigned char"},
    {"u16", "unsigned short"},
    {"u32", "unsigned int"},
    {"long", "long"},
    {"ulong", "unsigned long"},
    {"longlong", "long long"},
    {"ulonglong", "unsigned long long"},
    {"size_t", "unsigned long"},
    {"loff_t", "long long"},
};

constexpr std::string_view kHead =
    "#include <assert.h>\n"
    "#include <heddle/heddle.h>\n"
    "#define UNSEEN __attribute__((no_sanitize(\"thread\")))\n";

std::string body_of(const std::string& function) {
  if (function.starts_with(kNondet)) {
    const std::string_view suffix = std::string_view(function).substr(kNondet.size());
    for (const InputType& row : kInputTypes)
      if (row.suffix == suffix)
        return fmt::format("UNSEEN {} {}(void) {{ return ({})next_input(); }}\n", row.type,
                           function, row.type);
    return "";
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
