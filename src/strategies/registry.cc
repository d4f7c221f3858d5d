#include "strategies/registry.h"

#include <cstring>

#include "strategies/combinations.h"
#include "strategies/restartable.h"

namespace heddle {
namespace {

// An identifier as users write it: with `-` for `_`.
template <size_t N>
struct Dashed {
  constexpr Dashed(const char (&identifier)[N]) {
    for (size_t i = 0; i < N; ++i) text[i] = identifier[i] == '_' ? '-' : identifier[i];
  }
  char text[N];
};
template <Dashed name>
constexpr std::string_view dashed() {
  return name.text;
}

constexpr StrategyInfo kStrategies[] = {
#define X(id, kind, description) {dashed<#id>(), GuaranteeKind::kind, description, make_##id},
    HEDDLE_STRATEGIES(X)
#undef X
};

// Samplers conclude nothing from earlier executions; the reductions by races and the portfolio know
// how to begin anew.
bool starts_over_itself(const StrategyInfo& info) {
  return info.guarantee == GuaranteeKind::Sampling || needs_attempts(info.name) ||
         info.name == "sleep-sets";
}

}  // namespace

std::span<const StrategyInfo> strategies() {
  return kStrategies;
}

std::unique_ptr<Strategy> make_strategy(const RunOptions& options) {
  if (!refusal(options).empty()) return nullptr;
  const std::string_view wanted(options.strategy,
                                strnlen(options.strategy, sizeof options.strategy));
  for (const StrategyInfo& info : kStrategies)
    if (info.name == wanted)
      return starts_over_itself(info) ? info.make(options)
                                      : std::make_unique<Restartable>(info.make, options);
  return nullptr;
}

}  // namespace heddle
