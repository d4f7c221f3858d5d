// The strategy of one_more_strategy_test.py: each thread runs as long as it can, the one with the
// smallest number first.
#include <memory>

#include "strategies/sampler.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class OneByOne final : public Sampler {
 public:
  OneByOne() : Sampler(StrategyId::one_by_one) {}

  bool begin_execution() override { return true; }

  Transition choose(const Configuration& configuration) override {
    const ThreadView* view = configuration.live.data();
    while (view->choices == 0) ++view;
    return {view->id, 0};
  }

  std::string guarantee() const override { return no_guarantee("one by one"); }
};

}  // namespace

std::unique_ptr<Strategy> make_one_by_one(const RunOptions& options) {
  (void)options;
  return std::make_unique<OneByOne>();
}

}  // namespace heddle
