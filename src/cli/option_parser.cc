#include "cli/option_parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/did_you_mean.h"

namespace heddle {
namespace {

// Of a list with commas, and perhaps a file behind a colon, the first word that is not one of those
// that may be given.
std::string meant_value(std::string_view text, const std::vector<std::string>& words) {
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(",:", at), text.size());
    const std::string part(text.substr(at, end - at));
    if (std::find(words.begin(), words.end(), part) == words.end())
      return did_you_mean(part, words);
    at = end + 1;
  }
  return "";
}

std::string meant_option(std::string_view word, const std::vector<Option>& options) {
  std::vector<std::string> names = {"--help"};
  for (const Option& option : options) names.push_back(option.name);
  return did_you_mean(word.substr(0, word.find('=')), names);
}

// Values are judged by the rows themselves, for messages of one kind.
void add(CLI::App& app, const Option& option, std::string& complaint) {
  if (!option.takes_value) {
    app.add_flag_callback(option.name, [&option] { option.apply(""); });
    return;
  }
  auto take = [&option, &complaint](const std::string& text) {
    if (option.apply(text) || !complaint.empty()) return;
    complaint = fmt::format("{}{}{} is not valid{}; give {}", option.name,
                            option.name.starts_with("--") ? "=" : " ", text,
                            meant_value(text, option.words), option.range);
  };
  if (!option.repeatable) {
    app.add_option_function<std::string>(option.name, take);
    return;
  }
  auto take_all = [take](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) take(text);
  };
  app.add_option_function<std::vector<std::string>>(option.name, take_all)->allow_extra_args(false);
}

// What CLI11 says (a missing value, a value for a switch, an option given twice), in one sentence.
std::string complaint_of(const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    text = fmt::format("{} needs exactly one value", text.substr(0, text.find(':')));
  return text;
}

}  // namespace

Result<Arguments> parse_options(std::span<const std::string> words, std::string_view command,
                                const std::vector<Option>& options) {
  const auto usage_error = [&](std::string_view what) {
    return Error{fmt::format("{}; see heddle {} --help", what, command)};
  };
  // CLI11 would take the next word for the value.
  for (const std::string& word : words)
    if (word.starts_with("--") && word.find('=') == word.size() - 1)
      return usage_error(fmt::format("{} needs a value", word));
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  Arguments arguments;
  std::string complaint;
  app.add_flag_callback("--help,-h", [&] { arguments.help = true; });
  for (const Option& option : options) add(app, option, complaint);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants it
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return usage_error(complaint_of(error));
  }
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word.starts_with('-'))
      return usage_error(fmt::format("unknown option {}{}", word, meant_option(word, options)));
    arguments.words.push_back(word);
  }
  if (!complaint.empty() && !arguments.help) return Error{complaint};
  return arguments;
}

Result<Arguments> parse_options_only(std::span<const std::string> words, std::string_view command,
                                     const std::vector<Option>& options) {
  Result<Arguments> arguments = parse_options(words, command, options);
  if (arguments && !arguments->words.empty())
    return Error{
        fmt::format("heddle {} takes no arguments, but got {}", command, arguments->words.front())};
  return arguments;
}

}  // namespace heddle
