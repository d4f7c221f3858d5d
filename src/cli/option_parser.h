// Reading the words of a command: options by a table, the rest in order. All commands but cc and
// c++, whose words are the compiler's, are read here, and nothing else knows CLI11.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/result.h"

namespace heddle {

struct Option {
  std::string name;                             // "--by" or "-o"
  bool takes_value = false;                     // "--by=bound", "--by bound"
  std::string range;                            // what values there are, for complaints
  std::function<bool(std::string_view)> apply;  // false: the value is not valid
  bool repeatable = false;
  std::vector<std::string> words = {};  // values that may be given, if there are few
};

// What a command was given besides its options.
struct Arguments {
  std::vector<std::string> words;
  bool help = false;  // asked for by --help or -h: values have not been judged
};

// One sentence, where something is wrong, that sends the reader to the help of the command.
Result<Arguments> parse_options(std::span<const std::string> words, std::string_view command,
                                const std::vector<Option>& options);

// A switch: an option without a value.
inline Option make_switch(std::string name, bool& on) {
  return {std::move(name), false, "", [&on](std::string_view) { return on = true; }};
}

// For commands that take nothing but options.
Result<Arguments> parse_options_only(std::span<const std::string> words, std::string_view command,
                                     const std::vector<Option>& options);

}  // namespace heddle
