// Work in processes of its own: children of this one that share the arena with it.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "explore/explorer.h"
#include "model/finding.h"
#include "runtime/core/runtime.h"
#include "runtime/guest/end_search.h"
#include "runtime/guest/own_process.h"
#include "runtime/guest/raw.h"

namespace heddle {

// Runs `work` in a child of this process; returns its wait status, 0 when all went well. A child
// does not outlive its parent.
template <typename Work>
int in_child(Work work) {
  ChannelHeader& header = *g_runtime.header;
  const uint32_t reports = header.report_only.load();
  const long parent = raw::call(SYS_getpid);
  const long child = raw::call(SYS_fork);
  if (child < 0) cannot_run("no process could be started: a limit on processes (ulimit -u)");
  if (child == 0) {
    raw::call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    mark_own_process();
    header.worker.store(static_cast<int32_t>(raw::call(SYS_getpid)));
    if (raw::call(SYS_getppid) == parent) work();
    raw::exit_group(0);
  }
  int status = 0;
  while (raw::call(SYS_wait4, static_cast<uint64_t>(child), raw::bits(&status), 0, 0) == -EINTR)
    continue;
  header.worker.store(static_cast<int32_t>(parent));
  // The child has met something that ends the search, an unsupported function for example.
  const bool search_ended = header.report_only.load() != reports;
  if (header.state.load() != RunState::Running || search_ended) raw::exit_group(0);
  return status;
}

// What to say of a process that died under an execution.
Failure death_of(int status);

// Whether the execution under way ends with the same wait status, in the same step, if it is
// repeated in a child. A process that somebody else kills does not.
bool dies_again(Explorer& explorer, int status);

// The search ends here because a process of it was killed from outside; what was found is told by
// the next process.
[[noreturn]] void end_by_kill();

// Runs an execution that has begun, in a process of its own.
template <typename Work>
void run_in_child(Explorer& explorer, ExploreObserver& observer, Work work) {
  const uint64_t finished = explorer.finished();
  const int status = in_child(work);
  if (status == 0 && explorer.finished() > finished) return;
  const bool in_program = g_runtime.header->in_program.exchange(0) != 0;
  if (in_program ? !dies_again(explorer, status) : WIFSIGNALED(status)) end_by_kill();
  explorer.execution_died(death_of(status));
  explorer.finish_execution(observer);
}

}  // namespace heddle
