// The options of a command as a table: one row says all about an option. The words of the command
// line, its help, the shells' completions and suggestions for mistyped values are read from it.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/option_parser.h"
#include "cli/option_values.h"

namespace heddle {

inline constexpr double kYear = 365 * 86400.0;  // the longest time, in seconds, that options take

template <class Options>
struct OptionRow {
  const char* name;
  const char* value;    // what stands behind "=", or nullptr for a switch
  const char* initial;  // for the help text
  OptionValues values;  // for the help text, completions and error messages
  const char* help;
  // False: the value is not valid. Null: --help, which every command has.
  bool (*apply)(Options& options, std::string_view text);
  bool repeatable = false;
};

template <class Options>
using OptionTable = std::span<const OptionRow<Options>>;

template <class Options>
std::vector<Option> options_into(OptionTable<Options> rows, Options& options) {
  std::vector<Option> list;
  for (const OptionRow<Options>& row : rows)
    if (row.apply != nullptr)
      list.push_back({fmt::format("--{}", row.name), row.value != nullptr, row.values.text(),
                      [&row, &options](std::string_view text) { return row.apply(options, text); },
                      row.repeatable, row.values.words()});
  return list;
}

// What completions know of an option.
struct OptionInfo {
  std::string name;
  bool takes_value = false;
  std::vector<std::string> words;  // values that may be given; none where any text may
  std::string help;
};

template <class Options>
std::vector<OptionInfo> list_of(OptionTable<Options> rows) {
  std::vector<OptionInfo> list;
  for (const OptionRow<Options>& row : rows)
    list.push_back({row.name, row.value != nullptr, row.values.words(), row.help});
  return list;
}

template <class Options>
std::string help_of(OptionTable<Options> rows) {
  std::string text = "options:\n";
  for (const OptionRow<Options>& row : rows) {
    text += fmt::format("  --{}{}{}\n      {}", row.name, row.value != nullptr ? "=" : "",
                        row.value != nullptr ? row.value : "", row.help);
    if (row.initial != nullptr)
      text += fmt::format("\n      {}; default: {}", row.values.text(), row.initial);
    text += '\n';
  }
  return text;
}

// For rows: a number between two others, and one of a few words.
template <class Number>
bool read(std::string_view text, Number low, Number high, Number& number) {
  Number got{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), got);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (!(got >= low && got <= high)) return false;
  number = got;
  return true;
}

template <class Value>
bool pick(std::string_view text, std::initializer_list<std::pair<std::string_view, Value>> among,
          Value& value) {
  for (const auto& [word, meaning] : among) {
    if (word != text) continue;
    value = meaning;
    return true;
  }
  return false;
}

}  // namespace heddle
