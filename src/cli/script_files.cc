#include "cli/script_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text_file.h"
#include "filters/registry.h"
#include "strategies/registry.h"

namespace heddle {
namespace {

bool takes_script(std::string_view strategy) {
  const StrategyInfo* info = find_strategy(strategy);
  return info != nullptr && info->has(strategy_property::Script);
}

bool is_script_filter(std::string_view name) {
  const auto all = filters();
  return std::any_of(all.begin(), all.end(), [&](const FilterInfo& info) {
    return info.name == name && info.argument == FilterArgument::Script;
  });
}

std::optional<Error> read(const std::string& file, std::shared_ptr<const ScriptText>& text) {
  Result<std::string> read = read_text(file, "script");
  if (!read) return read.error();
  if (read->size() > sizeof(ChannelScript::text) || file.size() > sizeof(ChannelScript::name))
    return Error{fmt::format("the script {} is too long; it may have {} KB", file,
                             sizeof(ChannelScript::text) >> 10)};
  text = std::make_shared<const ScriptText>(ScriptText{file, std::move(*read)});
  return std::nullopt;
}

void put(const ScriptText* script, ChannelScript& channel) {
  channel.present = script != nullptr ? 1 : 0;
  if (script == nullptr) return;
  channel.name_bytes = static_cast<uint32_t>(script->name.copy(channel.name, sizeof channel.name));
  channel.text_bytes = static_cast<uint32_t>(script->text.copy(channel.text, sizeof channel.text));
}

}  // namespace

std::string without_strategy_file(std::string_view text, ScriptFiles& files) {
  files.strategy.clear();
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || !takes_script(text.substr(0, colon)))
    return std::string(text);
  files.strategy = text.substr(colon + 1);
  return std::string(text.substr(0, colon));
}

std::string without_filter_file(std::string_view text, ScriptFiles& files) {
  files.filter.clear();
  std::string left;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view one = text.substr(0, comma);
    const size_t colon = one.find(':');
    if (files.filter.empty() && colon != std::string_view::npos &&
        is_script_filter(one.substr(0, colon))) {
      files.filter = one.substr(colon + 1);
      one = one.substr(0, colon);
    }
    left.append(one);
    if (comma < text.size()) left += ',';
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return left;
}

std::optional<Error> read_scripts(ScriptFiles& files, RunOptions& run) {
  std::optional<Error> error;
  if (!files.strategy.empty()) error = read(files.strategy, files.strategy_text);
  if (!error && !files.filter.empty()) error = read(files.filter, files.filter_text);
  run.strategy_script = files.strategy_text.get();
  run.filter_script = files.filter_text.get();
  return error;
}

std::optional<Error> load_scripts(const RunOptions& run) {
  if (run.strategy_script == nullptr && run.filter_script == nullptr) return std::nullopt;
  const std::unique_ptr<Strategy> strategy = make_strategy(run);
  if (strategy == nullptr || strategy->mistake().empty()) return std::nullopt;
  return Error{std::string(strategy->mistake())};
}

void put_scripts(const RunOptions& run, ChannelScripts& channel) {
  put(run.strategy_script, channel.strategy);
  put(run.filter_script, channel.filter);
}

}  // namespace heddle
