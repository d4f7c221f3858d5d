#include "strategies/strategy_table.h"

#include <array>
#include <cstring>

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

constexpr auto kStrategies = [] {
  using namespace strategy_property;
  return std::to_array<StrategyInfo>({
#define X(id, kind, found_first, filters, properties, description)                  \
  {StrategyId::id,     dashed<#id>(), GuaranteeKind::kind, FoundFirst::found_first, \
   FilterUse::filters, properties,    description,         make_##id},
      HEDDLE_STRATEGIES(X)
#undef X
  });
}();

}  // namespace

std::span<const StrategyInfo> strategies() {
  return kStrategies;
}

const StrategyInfo& strategy_info(StrategyId id) {
  return kStrategies[static_cast<size_t>(id)];
}

const StrategyInfo* find_strategy(std::string_view name) {
  for (const StrategyInfo& info : kStrategies)
    if (info.name == name) return &info;
  return nullptr;
}

const StrategyInfo* strategy_of(const RunOptions& options) {
  return find_strategy({options.strategy, strnlen(options.strategy, sizeof options.strategy)});
}

void name_strategy(RunOptions& options, StrategyId id) {
  const std::string_view name = strategy_info(id).name;
  options.strategy[name.copy(options.strategy, sizeof options.strategy - 1)] = '\0';
}

}  // namespace heddle
