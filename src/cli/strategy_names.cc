#include "cli/strategy_names.h"

#include <fmt/format.h>

#include "cli/did_you_mean.h"
#include "strategies/registry.h"

namespace heddle {
namespace {

std::string available() {
  std::string text;
  for (const StrategyInfo& info : strategies())
    text.append(text.empty() ? "" : ", ").append(info.name);
  return text;
}

}  // namespace

std::string strategy_complaint(std::string_view name) {
  if (find_strategy(name) != nullptr) return "";
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.emplace_back(info.name);
  return fmt::format("there is no strategy \"{}\"{}; choose one of {}", name,
                     did_you_mean(name, names), available());
}

bool is_sampler(std::string_view name) {
  const StrategyInfo* info = find_strategy(name);
  return info != nullptr && info->guarantee == GuaranteeKind::Sampling;
}

bool takes_bound(std::string_view name) {
  const StrategyInfo* info = find_strategy(name);
  return info != nullptr && info->has(strategy_property::Bound);
}

}  // namespace heddle
