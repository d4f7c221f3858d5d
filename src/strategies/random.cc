// Random walk.
//
// Problem. The tree of schedules is too large to search; look at some of its executions.
//
// Idea. At every step take one of the enabled transitions, each with the same probability. This is
// uniform over the transitions of a configuration, not over the executions of the program: short
// branches of the tree are favoured, and so are schedules that switch at nearly every step. Queues
// seldom fill and long runs of one thread seldom happen; pct is the better sampler for most bugs
// (Thomson, Donaldson, Betts, "Concurrency testing using controlled schedulers", TOPC 2016, where
// the random walk is nevertheless a strong baseline).
//
// Guarantee. None but the number of samples. The same seed gives the same executions. Runs until
// it is told to stop.
#include "base/random.h"

#include <memory>

#include "strategies/sampler.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class RandomWalk final : public Sampler {
 public:
  explicit RandomWalk(uint64_t seed) : Sampler(StrategyId::random), random_(seed) {}

  bool begin_execution() override { return true; }

  Transition choose(const Configuration& configuration) override {
    uint64_t transitions = 0;
    for (const ThreadView& view : configuration.live) transitions += view.choices;
    uint64_t pick = random_.below(transitions);
    const ThreadView* view = configuration.live.data();
    for (; pick >= view->choices; ++view) pick -= view->choices;
    return {view->id, static_cast<uint32_t>(pick)};
  }

  std::string guarantee() const override { return no_guarantee("drawn at random"); }

 private:
  Random random_;
};

}  // namespace

std::unique_ptr<Strategy> make_random(const RunOptions& options) {
  return std::make_unique<RandomWalk>(options.seed);
}

}  // namespace heddle
