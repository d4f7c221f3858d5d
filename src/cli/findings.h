// From the mailbox to findings with trace files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/launch.h"
#include "cli/program.h"
#include "cli/result.h"
#include "model/run_options.h"
#include "report/run_result.h"

namespace heddle {

// The findings in the order of their numbers, each as the last record about it says. What cannot be
// read is described in `notes`.
std::vector<Trace> collect_findings(std::string_view mailbox, std::vector<std::string>& notes);
// The race that the runtime asks about, if that is the last thing it said.
std::optional<Trace> last_question(std::string_view mailbox);

// What must be the same for the schedule to mean the same.
inline constexpr std::string_view kScratchSetting = "scratch=";
inline constexpr std::string_view kNameSetting = "called=";
std::vector<std::string> settings_of(const RunOptions& options);
// Takes them back; false if a setting is not understood.
bool apply_settings(const std::vector<std::string>& settings, RunOptions& options);

void identify(Trace& trace, const Program& program, const Target& target,
              const RunOptions& options);

// Seals the trace (seal.h), writes DIRECTORY/NAME.N.heddle-trace and returns its path. That nothing
// can be written there is a note (the bug is worth more than its file), that what was begun could
// not be ended is a loss.
std::string write_trace(Trace& trace, const std::string& directory, const std::string& name,
                        size_t number, RunResult& result);
Result<Trace> read_trace(const std::string& path);

}  // namespace heddle
