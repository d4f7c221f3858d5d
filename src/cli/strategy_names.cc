#include "cli/strategy_names.h"

#include <fmt/format.h>

#include "cli/did_you_mean.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

template <class Wanted>
std::string names_of(Wanted wanted) {
  std::string text;
  for (const StrategyInfo& info : strategies())
    if (wanted(info)) text.append(text.empty() ? "" : ", ").append(info.name);
  return text;
}

bool is_bounded(const StrategyInfo& info) {
  return info.has(strategy_property::Bound);
}

}  // namespace

std::string strategy_complaint(std::string_view name) {
  if (find_strategy(name) != nullptr) return "";
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies()) names.emplace_back(info.name);
  return fmt::format("there is no strategy \"{}\"{}; choose one of {}", name,
                     did_you_mean(name, names), names_of([](const StrategyInfo&) { return true; }));
}

bool is_sampler(std::string_view name) {
  const StrategyInfo* info = find_strategy(name);
  return info != nullptr && info->guarantee == GuaranteeKind::Sampling;
}

bool takes_bound(std::string_view name) {
  const StrategyInfo* info = find_strategy(name);
  return info != nullptr && is_bounded(*info);
}

std::string strategies_with_bound() {
  return names_of(is_bounded);
}

}  // namespace heddle
