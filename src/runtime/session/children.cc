#include "runtime/session/children.h"

#include <sys/wait.h>

#include <string>

namespace heddle {

Failure death_of(int status) {
  Failure failure;
  failure.kind = FindingKind::Death;
  failure.wait_status = status;
  failure.message = WIFSIGNALED(status)
                        ? "the process is killed by signal " + std::to_string(WTERMSIG(status))
                        : "the process ends with status " + std::to_string(WEXITSTATUS(status)) +
                              " without reaching Heddle's exit handler";
  return failure;
}

bool dies_again(Explorer& explorer, int status) {
  std::atomic<Repetition>& repetition = g_runtime.header->repetition;
  repetition.store(Repetition::NotReached);
  const int again = in_child([&] {
    if (explorer.repeat(g_runtime.executor, [&] { repetition.store(Repetition::LastStepBegun); }))
      repetition.store(Repetition::Survived);
  });
  g_runtime.header->in_program.store(0);
  return repetition.load() == Repetition::LastStepBegun && again == status;
}

void end_by_kill() {
  ChannelHeader& header = *g_runtime.header;
  header.stop.store(StopReason::KilledFromOutside);
  header.report_only.store(1);
  raw::exit_group(0);
}

}  // namespace heddle
