// The scripts that --strategy=lua:FILE and --filter=lua:FILE name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "channel/scripts.h"
#include "cli/result.h"
#include "model/run_options.h"

namespace heddle {

struct ScriptFiles {
  std::string strategy, filter;                                  // files; empty: none
  std::shared_ptr<const ScriptText> strategy_text, filter_text;  // when they have been read
};

// Take the file out of "lua:FILE", or of a list of filters in which one is of that kind; what is
// left is as tables know it.
std::string without_strategy_file(std::string_view text, ScriptFiles& files);
std::string without_filter_file(std::string_view text, ScriptFiles& files);

// Reads them, and lets the options point to what they say. A mistake that shows when a script is
// loaded is an error here.
std::optional<Error> read_scripts(ScriptFiles& files, RunOptions& run);
std::optional<Error> load_scripts(const RunOptions& run);

// The reader of these is the tested process.
void put_scripts(const RunOptions& run, ChannelScripts& channel);

}  // namespace heddle
