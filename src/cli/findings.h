// From the mailbox to findings with trace files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/launch.h"
#include "cli/program.h"
#include "cli/result.h"
#include "model/run_options.h"
#include "report/run_result.h"

namespace heddle {

// One per bug: the same failure at the same place counts once, in its most telling execution.
// Text that cannot be read is described in `notes`.
std::vector<Trace> collect_traces(std::string_view mailbox, std::vector<std::string>& notes);

// What must be the same for the schedule to mean the same.
inline constexpr std::string_view kScratchSetting = "scratch=";
std::vector<std::string> settings_of(const RunOptions& options);
// Takes them back; false if a setting is not understood.
bool apply_settings(const std::vector<std::string>& settings, RunOptions& options);

void identify(Trace& trace, const Program& program, const Target& target,
              const RunOptions& options);

// Writes DIRECTORY/NAME.N.heddle-trace and returns its path.
Result<std::string> write_trace(const Trace& trace, const std::string& directory,
                                const std::string& name, size_t number);
Result<Trace> read_trace(const std::string& path);

}  // namespace heddle
