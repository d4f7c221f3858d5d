// One supervised run of the search, from an empty channel to a result with trace files.
#pragma once

#include "cli/channel_file.h"
#include "cli/check_options.h"
#include "cli/launch.h"
#include "cli/program.h"
#include "cli/result.h"
#include "cli/session.h"
#include "cli/supervisor.h"
#include "report/run_result.h"

namespace heddle {

// With a session, what the search comes to is kept there, and what is there already is not made
// again.
Result<RunResult> explore(const Program& program, const Target& target, const CheckOptions& options,
                          Session* session = nullptr);

// The sentence for a run that ended without a result because of the program or the environment.
Error refusal(const Supervision& supervision, const ChannelHeader& header, const Program& program);

std::string describe_status(int wait_status);  // "exit status 3", "killed by signal 11 (…)"

int exit_status(Verdict verdict);

}  // namespace heddle
