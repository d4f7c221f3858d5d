#include "cli/compile_flags.h"

#include <algorithm>

namespace heddle {
namespace {

// What the compiler and the linker take besides files: all but what decides which file they make
// (-c, -E, -S, -o, -shared, -static, -r, -M and the like).
constexpr std::string_view kPrefixes[] = {"-D",
                                          "-U",
                                          "-I",
                                          "-O",
                                          "-std=",
                                          "--std=",
                                          "-l",
                                          "-L",
                                          "-f",
                                          "-W",
                                          "-m",
                                          "-g",
                                          "-pthread",
                                          "-stdlib=",
                                          "-nostdinc",
                                          "-nostdlib++",
                                          "-nodefaultlibs",
                                          "-pedantic",
                                          "-isystem",
                                          "-iquote",
                                          "-idirafter",
                                          "-include",
                                          "-imacros",
                                          "-isysroot",
                                          "-iprefix",
                                          "-iwithprefix",
                                          "--sysroot=",
                                          "--param=",
                                          "-B",
                                          "-Xclang",
                                          "-specs=",
                                          "-static-lib",
                                          "-Rpass",
                                          "-unwindlib=",
                                          "-rtlib=",
                                          "--target=",
                                          "-fuse-ld="};
constexpr std::string_view kExact[] = {"-w",
                                       "-pipe",
                                       "-ansi",
                                       "-s",
                                       "-rdynamic",
                                       "-pie",
                                       "-no-pie",
                                       "-P",
                                       "-C",
                                       "-CC",
                                       "-v",
                                       "-H",
                                       "-Q",
                                       "-undef",
                                       "-trigraphs",
                                       "-remap",
                                       "-traditional-cpp",
                                       "-no-canonical-prefixes",
                                       "-nolibc",
                                       "-time"};
constexpr std::string_view kWithValue[] = {"-D",           "-U",
                                           "-I",           "-l",
                                           "-L",           "-include",
                                           "-isystem",     "-iquote",
                                           "-idirafter",   "-imacros",
                                           "-isysroot",    "-iprefix",
                                           "-iwithprefix", "-iwithprefixbefore",
                                           "-Xlinker",     "-Xpreprocessor",
                                           "-Xassembler",  "-Xclang",
                                           "-mllvm",       "--param",
                                           "-T",           "-u",
                                           "-z",           "-B",
                                           "--sysroot"};

bool ends_with_any(std::string_view file, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return file.ends_with(ending); });
}

bool takes_value(std::string_view word) {
  return std::find(std::begin(kWithValue), std::end(kWithValue), word) != std::end(kWithValue);
}

bool is_flag(std::string_view word) {
  if (std::find(std::begin(kExact), std::end(kExact), word) != std::end(kExact)) return true;
  return std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                     [&](std::string_view prefix) { return word.starts_with(prefix); });
}

}  // namespace

Language language_of(std::string_view file) {
  if (file.ends_with(".c")) return Language::C;
  if (ends_with_any(file, {".cc", ".cpp", ".cxx", ".c++", ".C"})) return Language::Cxx;
  return Language::None;
}

bool is_object_file(std::string_view file) {
  return ends_with_any(file, {".o", ".a"});
}

std::vector<std::string> take_compile_flags(std::span<const std::string> words,
                                            std::vector<std::string>& flags,
                                            std::vector<std::string>& arguments) {
  std::vector<std::string> rest;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      arguments.assign(words.begin() + static_cast<ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (takes_value(words[i]) && i + 1 < words.size()) {
      flags.push_back(words[i]);
      flags.push_back(words[++i]);
    } else if (takes_value(words[i]) || is_flag(words[i])) {
      flags.push_back(words[i]);
    } else {
      rest.push_back(words[i]);
    }
  }
  return rest;
}

}  // namespace heddle
