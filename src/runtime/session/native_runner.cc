#include "runtime/session/native_runner.h"

#include "runtime/session/children.h"

namespace heddle {
namespace {

template <typename Work>
void run_here_or_in_child(bool forks, Explorer& explorer, ExploreObserver& observer, Work work) {
  if (forks)
    run_in_child(explorer, observer, work);
  else
    work();
}

}  // namespace

Runner::Outcome NativeRunner::run(Explorer& explorer, ExploreObserver& observer,
                                  const std::function<bool()>& /*due*/) {
  run_here_or_in_child(forks_, explorer, observer, [&] {
    explorer.explore_one(g_runtime.executor, observer);
    explorer.finish_execution(observer);
  });
  return Outcome::Finished;
}

void NativeRunner::run_apart(const std::function<void()>& work) {
  if (forks_)
    in_child(work);
  else
    work();
}

Runner::Outcome CheckpointRunner::run(Explorer& explorer, ExploreObserver& observer,
                                      const std::function<bool()>& due) {
  CheckpointChain checkpoints(explorer, observer, state_);
  if (checkpoints.pays_off()) {
    const CheckpointChain::Outcome outcome = checkpoints.explore_from(due);
    if (outcome == CheckpointChain::Outcome::Ended) return Outcome::Ended;
    if (outcome == CheckpointChain::Outcome::Paused) return Outcome::Finished;
  }
  const bool forks = g_runtime.header->options.isolation == Isolation::Fork;
  checkpoints.run_without([&] {
    run_here_or_in_child(forks, explorer, observer, [&] {
      explorer.explore_one(g_runtime.executor, observer);
      checkpoints.note_approach();
      explorer.finish_execution(observer);
    });
  });
  return Outcome::Finished;
}

}  // namespace heddle
