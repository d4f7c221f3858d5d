#include "strategies/registry.h"

#include "strategies/combinations.h"
#include "strategies/restartable.h"

namespace heddle {

std::unique_ptr<Strategy> make_strategy(const RunOptions& options) {
  const StrategyInfo* info = strategy_of(options);
  if (info == nullptr || !refusal(options).empty()) return nullptr;
  return info->has(strategy_property::StartsOver)
             ? info->make(options)
             : std::make_unique<Restartable>(info->make, options);
}

}  // namespace heddle
