#include "cli/strategy_names.h"

#include <fmt/format.h>

#include "strategies/registry.h"

namespace heddle {
namespace {

const StrategyInfo* find(std::string_view name) {
  for (const StrategyInfo& info : strategies())
    if (info.name == name) return &info;
  return nullptr;
}

bool has_guarantee(std::string_view name, GuaranteeKind kind) {
  const StrategyInfo* info = find(name);
  return info != nullptr && info->guarantee == kind;
}

std::string available() {
  std::string text;
  for (const StrategyInfo& info : strategies())
    text.append(text.empty() ? "" : ", ").append(info.name);
  return text;
}

}  // namespace

std::string strategy_complaint(std::string_view name) {
  if (find(name) != nullptr) return "";
  return fmt::format("there is no strategy \"{}\"; choose one of {}", name, available());
}

bool is_sampler(std::string_view name) {
  return has_guarantee(name, GuaranteeKind::Sampling);
}

bool takes_bound(std::string_view name) {
  return has_guarantee(name, GuaranteeKind::PerBound) || name == "dpor" || name == "portfolio";
}

}  // namespace heddle
