// Tells the compiler's words from ours on the command line of `heddle check`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class Language { None, C, Cxx };
Language language_of(std::string_view file);  // by its extension
bool is_object_file(std::string_view file);   // .o, .a

// Takes what is the compiler's to `flags` and what follows "--" to `arguments`; returns the rest.
std::vector<std::string> take_compile_flags(std::span<const std::string> words,
                                            std::vector<std::string>& flags,
                                            std::vector<std::string>& arguments);

}  // namespace heddle
