#include "runtime/session/checkpoints.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/core/runtime.h"
#include "runtime/rewind/kernel_state.h"
#include "runtime/session/children.h"

namespace heddle {
namespace {

constexpr long kAtBeginning = -1;
constexpr double kCheap = 200'000;  // cycles; no fork is cheaper
constexpr uint64_t kSample = 16;    // executions before anything is concluded
constexpr uint64_t kSeldom = 64;    // executions of which one is measured later on
constexpr uint64_t kTrial = 64;  // executions from checkpoints between two looks at what they cost

Checkpoints wanted() {
  return g_runtime.header->options.checkpoints;
}

// Not with --scratch, since files are shared. Not where stacks are compared: what a clock says may
// be left over in places of a stack that are not in use.
bool possible() {
  return wanted() != Checkpoints::Never && g_runtime.header->scratch.count == 0 &&
         !g_runtime.executor.asks_local_states();
}

}  // namespace

bool CheckpointChain::time_to_measure() const {
  return wanted() == Checkpoints::Auto && possible() &&
         (state_.measured < kSample || explorer_.executions() % kSeldom == 0);
}

void CheckpointChain::note_approach() {
  if (!time_to_measure()) return;
  const NativeExecutor::Approach& approach = g_runtime.executor.approach();
  state_.first_cost.add(static_cast<double>(approach.first));
  if (approach.steps > 0)
    state_.step_cost.add(static_cast<double>(approach.cycles) /
                         static_cast<double>(approach.steps));
}

void CheckpointChain::note_whole(uint64_t cycles) {
  state_.plain_cost.add(static_cast<double>(cycles));
  ++state_.measured;
}

double CheckpointChain::cost_from(long depth) const {
  const auto length = static_cast<double>(explorer_.strategy().prefix().size());
  if (depth == kAtBeginning) return state_.first_cost.get() + length * state_.step_cost.get();
  return (length - static_cast<double>(depth)) * state_.step_cost.get();
}

double CheckpointChain::fork_cost() {
  for (int i = 0; state_.fork_cost == 0 || i < 3; ++i) {
    const uint64_t began = now();
    in_child([] {});
    const auto cost = static_cast<double>(now() - began);
    state_.fork_cost = state_.fork_cost == 0 ? cost : std::min(state_.fork_cost, cost);
  }
  return state_.fork_cost;
}

bool CheckpointChain::pays_off() {
  if (state_.given_up || !possible()) return false;
  if (state_.active || wanted() == Checkpoints::Always) return state_.active = true;
  if (state_.measured < kSample || cost_from(kAtBeginning) < kCheap) return false;
  if (cost_from(kAtBeginning) < 2 * (state_.fork_cost > 0 ? state_.fork_cost : fork_cost()))
    return false;
  state_.chained = 0;
  state_.chained_since = now();
  return state_.active = true;
}

CheckpointChain::Outcome CheckpointChain::explore_from(const std::function<bool()>& due) {
  state_.begun = true;
  stand(kAtBeginning, due);
  if (state_.begun) return Outcome::NotRun;
  return state_.ended ? Outcome::Ended : Outcome::Paused;
}

// Whether the execution that has begun passes there.
bool CheckpointChain::leads_to(const Place& place) const {
  const std::span<const Transition> coming = explorer_.strategy().prefix();
  return place.generation == explorer_.generation() && place.spinning == explorer_.spinning() &&
         coming.size() >= place.steps.size() &&
         std::equal(place.steps.begin(), place.steps.end(), coming.begin());
}

// This process stands after so many steps of the prefix. Serves the executions that share them.
void CheckpointChain::stand(long depth, const std::function<bool()>& due) {
  const std::span<const Transition> prefix = explorer_.strategy().prefix();
  const Place here{{prefix.begin(), prefix.begin() + std::max(depth, 0L)},
                   explorer_.generation(),
                   explorer_.spinning()};
  while (state_.begun && !state_.given_up && (depth == kAtBeginning || leads_to(here))) {
    const long checkpoint = next_checkpoint(depth);
    if (checkpoint == depth) {
      serve();
      state_.begun = false;
      if (due()) return;
      state_.begun = explorer_.begin_execution(observer_);
      state_.ended = !state_.begun;
      continue;
    }
    const int status = in_child([&] {
      state_.advancing = true;
      const bool arrived = advance(checkpoint);
      state_.advancing = false;
      if (!arrived) {
        state_.given_up = true;
        return;
      }
      g_runtime.executor.stand(static_cast<size_t>(checkpoint));
      stand(checkpoint, due);
      g_runtime.executor.stop_standing();
    });
    // Executions die in processes of their own. But the end of a prefix may be new, and kill: then
    // the execution is run, and judged, without checkpoints.
    const bool on_its_way = std::exchange(state_.advancing, false);
    if (WIFSIGNALED(status) && !on_its_way) end_by_kill();
    if (status != 0 || on_its_way) state_.given_up = true;
  }
}

// One execution, from here.
void CheckpointChain::serve() {
  run_in_child(explorer_, observer_, [&] {
    explorer_.explore_one(g_runtime.executor, observer_);
    explorer_.finish_execution(observer_);
  });
  if (wanted() == Checkpoints::Always || ++state_.chained % kTrial != 0) return;
  const double each =
      static_cast<double>(now() - state_.chained_since) / static_cast<double>(state_.chained);
  state_.given_up = each > state_.plain_cost.get();
}

bool CheckpointChain::advance(long checkpoint) {
  return explorer_.approach(g_runtime.executor, static_cast<size_t>(checkpoint)) &&
         kernel_state().is_only_memory();
}

// Where the next process should stand on the way to the end of the prefix; `depth` if none should.
long CheckpointChain::next_checkpoint(long depth) const {
  const auto length = static_cast<long>(explorer_.strategy().prefix().size());
  const long from = std::max(depth, 0L);
  if (wanted() == Checkpoints::Always)
    return depth == kAtBeginning ? 0 : from + (length - from + 1) / 2;
  if (depth == kAtBeginning && state_.first_cost.get() > state_.fork_cost) return 0;
  if (length == from || cost_from(depth) < 2 * state_.fork_cost) return depth;
  return from + (length - from + 1) / 2;
}

}  // namespace heddle
