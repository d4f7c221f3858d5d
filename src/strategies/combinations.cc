#include "strategies/combinations.h"

#include <cstring>
#include <string_view>
#include <vector>

#include "strategies/strategy_table.h"

namespace heddle {
namespace {

template <size_t N>
std::string_view view_of(const char (&text)[N]) {
  return {text, strnlen(text, N)};
}

// The filters that the options name; none where they cannot be read.
std::vector<FilterSpec> filters_of(const RunOptions& options) {
  std::vector<FilterSpec> specs;
  if (!parse_filters(view_of(options.filters), specs).empty()) specs.clear();
  return specs;
}

bool has(const RunOptions& options, uint16_t property) {
  const StrategyInfo* info = strategy_of(options);
  return info != nullptr && info->has(property);
}

// "dfs and icb": those for which the predicate holds.
template <typename Predicate>
std::string names_where(Predicate predicate) {
  std::vector<std::string> names;
  for (const StrategyInfo& info : strategies())
    if (predicate(info)) names.emplace_back(info.name);
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}
std::string names_with(uint16_t property) {
  return names_where([property](const StrategyInfo& info) { return info.has(property); });
}

std::string refusal_of_filters(const StrategyInfo& strategy, std::span<const FilterSpec> specs) {
  const std::string name(strategy.name);
  if (strategy.filters == FilterUse::None)
    return "filters cannot be combined with --strategy=" + name + "; they are for " +
           names_where([](const StrategyInfo& info) { return info.filters != FilterUse::None; });
  for (const FilterSpec& spec : specs) {
    const FilterInfo& filter = filter_info(spec.kind);
    if (strategy.filters == FilterUse::ByPreemptions && !filter.costs_preemptions.empty())
      return "the filter " + std::string(filter.name) + " cannot be combined with " + name + ": " +
             std::string(filter.costs_preemptions);
  }
  return refusal_of_pair(specs);
}

std::string needs_script(const char* option, std::string_view name) {
  return "--" + std::string(option) + "=" + std::string(name) + " needs a script, as in --" +
         option + "=" + std::string(name) + ":FILE";
}

std::string refusal_without_script(const RunOptions& options, const StrategyInfo& strategy,
                                   std::span<const FilterSpec> specs) {
  if (strategy.has(strategy_property::Script) && options.strategy_script == nullptr)
    return needs_script("strategy", strategy.name);
  for (const FilterSpec& spec : specs)
    if (filter_info(spec.kind).argument == FilterArgument::Script &&
        options.filter_script == nullptr)
      return needs_script("filter", filter_info(spec.kind).name);
  return {};
}

}  // namespace

std::string refusal_of_pair(std::span<const FilterSpec> specs) {
  const auto refuse = [&](uint8_t one, uint8_t other, const char* why) -> std::string {
    const FilterInfo* first = filter_with(specs, one);
    const FilterInfo* second = filter_with(specs, other);
    if (first == nullptr || second == nullptr) return {};
    return "the filters " + std::string(first->name) + " and " + std::string(second->name) +
           " cannot be combined: the first is sound only where " + why;
  };
  using namespace filter_property;
  const std::string loops = refuse(NeedsEndings, EndsLoops, "executions end by themselves");
  return !loops.empty() ? loops : refuse(NeedsAll, DropsAny, "no other drops what it keeps");
}

bool needs_attempts(const RunOptions& options) {
  return has(options, strategy_property::Attempts);
}

bool leaves_out_executions(const RunOptions& options) {
  return options.mode != Mode::Replay &&
         (has(options, strategy_property::Reduces) || options.filters[0] != '\0');
}

bool keeps_states(const RunOptions& options) {
  return options.mode != Mode::Replay &&
         (has(options, strategy_property::KeepsStates) || options.filters[0] != '\0');
}

bool leaves_out_states(const RunOptions& options) {
  return options.mode != Mode::Replay &&
         (has(options, strategy_property::SkipsStates) ||
          filter_with(filters_of(options), filter_property::SkipsStates) != nullptr);
}

bool compares_local_states(const RunOptions& options) {
  return filter_with(filters_of(options), filter_property::EndsLoops) != nullptr;
}

std::string refusal(const RunOptions& options) {
  std::vector<FilterSpec> specs;
  if (std::string mistake = parse_filters(view_of(options.filters), specs); !mistake.empty())
    return mistake;
  const StrategyInfo* strategy = strategy_of(options);
  if (strategy == nullptr) return "there is no strategy of that name";
  const std::string name(strategy->name);
  if (options.order != PickOrder::Depth && !strategy->has(strategy_property::Orders))
    return "an order of picking is for --strategy=" + names_with(strategy_property::Orders) +
           " only; " + name + " has an order of its own";
  if (options.equivalence == Equivalence::ReadsFrom && !strategy->has(strategy_property::ReadsFrom))
    return "reads-from is an equivalence for " + names_with(strategy_property::ReadsFrom) + "; " +
           name + " knows one of its own";
  if (options.equivalence == Equivalence::ReadsFrom && options.bound >= 0)
    return "the equivalence reads-from cannot be combined with a bound: of the executions that are "
           "equivalent it runs one, with any number of preemptions";
  if (options.exact_states && filter_with(specs, filter_property::KeepsStates) == nullptr)
    return "exact states are for the filter seen only";
  if (std::string why = specs.empty() ? "" : refusal_of_filters(*strategy, specs); !why.empty())
    return why;
  return refusal_without_script(options, *strategy, specs);
}

}  // namespace heddle
