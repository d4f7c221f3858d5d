// Partial order sampling.
//
// Problem. A random walk favours some partial orders of the program's steps heavily: those in which
// a long thread's last steps come before a short thread's first are hardly ever seen.
//
// Idea (Yuan, Yang, Gu, "Partial order aware concurrency sampling", CAV 2018, section 4). Give
// every pending step a random priority, and always take the enabled one with the highest. A thread
// draws a new priority for its next step, and so does every other thread whose pending step
// conflicts with the one just taken: the order of each conflicting pair is then decided by draws of
// their own, while steps that concern nobody do not dilute the choice. A partial order whose
// conflicts can be written as a chain of n steps, each with at most m rivals, is sampled with a
// probability that depends on these, not on how many steps do not conflict.
//
// Where we deviate. The priority of a step that conflicts is drawn again even if its thread is
// blocked. Alternatives of one action are drawn uniformly.
//
// Guarantee. None that can be stated without knowing the program's conflicts; the paper's bound is
// above that of a random walk for every partial order. The same seed gives the same executions.
#include <algorithm>
#include <memory>
#include <vector>

#include "base/random.h"
#include "model/dependence.h"
#include "strategies/sampler.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class Pos final : public Sampler {
 public:
  explicit Pos(uint64_t seed) : Sampler(StrategyId::pos), random_(seed) {}

  bool begin_execution() override {
    std::fill(priorities_.begin(), priorities_.end(), 0);
    return true;
  }

  Transition choose(const Configuration& configuration) override {
    const ThreadView* highest = nullptr;
    for (const ThreadView& view : configuration.live) {
      draw_if_new(view.id);
      if (view.enabled() && (highest == nullptr || priority(view.id) > priority(highest->id)))
        highest = &view;
    }
    for (const ThreadView& view : configuration.live)
      if (dependent(view.next, highest->next)) priority(view.id) = 0;  // the thread itself, too
    const uint32_t choices = highest->choices;
    return {highest->id, choices == 1 ? 0 : static_cast<uint32_t>(random_.below(choices))};
  }

  std::string guarantee() const override { return no_guarantee("sampled by partial order"); }

 private:
  uint64_t& priority(ThreadId thread) { return priorities_[index(thread)]; }
  void draw_if_new(ThreadId thread) {
    if (index(thread) >= priorities_.size()) priorities_.resize(index(thread) + 1);
    if (priority(thread) == 0) priority(thread) = random_.next() | 1;
  }

  Random random_;
  std::vector<uint64_t> priorities_;  // by thread: of its pending step; 0: not drawn yet
};

}  // namespace

std::unique_ptr<Strategy> make_pos(const RunOptions& options) {
  return std::make_unique<Pos>(options.seed);
}

}  // namespace heddle
