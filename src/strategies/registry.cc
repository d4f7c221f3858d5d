#include "strategies/registry.h"

#include <cstring>

namespace heddle {
namespace {

constexpr StrategyInfo kStrategies[] = {
#define X(id, kind, description) {#id, GuaranteeKind::kind, description, make_##id},
    HEDDLE_STRATEGIES(X)
#undef X
};

}  // namespace

std::span<const StrategyInfo> strategies() {
  return kStrategies;
}

std::unique_ptr<Strategy> make_strategy(const RunOptions& options) {
  const std::string_view wanted(options.strategy,
                                strnlen(options.strategy, sizeof options.strategy));
  for (const StrategyInfo& info : kStrategies)
    if (info.name == wanted) return info.make(options);
  return nullptr;
}

}  // namespace heddle
