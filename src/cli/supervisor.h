// Watches over the process in which the search runs: progress, time limit, Ctrl-C, the watchdog,
// and starting it again when it dies.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/channel_file.h"
#include "cli/launch.h"
#include "cli/result.h"
#include "report/run_result.h"

namespace heddle {

struct SupervisorOptions {
  double time_limit = 0;                  // seconds; 0: none
  double watchdog = 10;                   // seconds without a visible action; 0: none
  uint64_t memory_limit = 0;              // bytes; 0: none
  bool show_progress = false;             // a live line on standard error
  bool restart = true;                    // go on with a new process when one dies
  std::function<void()> between = [] {};  // called while the search runs
};

enum class Outcome : uint8_t {
  Finished,      // the run ended by itself or was asked to; header.state is Done
  Refused,       // header.state is Unsupported or Error, and header.message says why
  NeverStarted,  // the program ended before the runtime spoke
  Died,          // and was not to be started again
  KeptDying,     // given up
  Killed,        // did not end when asked to
  CutShort,      // the search could not go on; `reason` says why, and what was found is told
};

struct Supervision {
  Outcome outcome = Outcome::Finished;
  bool interrupted = false;
  double seconds = 0;
  double cpu_seconds = 0;
  uint32_t deaths = 0;
  int last_status = 0;               // as waitpid gives it
  int last_death = 0;                // the same, of a process that died
  RunState reason = RunState::Done;  // CutShort: Unsupported, Error or Unseen, …
  std::string message;               // … and what the header said about it
  uint64_t message_pc = 0;
  std::vector<ProgressSample> history;
};

Result<Supervision> supervise(const Target& target, ChannelFile& channel,
                              const SupervisorOptions& options);

}  // namespace heddle
