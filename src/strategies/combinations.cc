#include "strategies/combinations.h"

#include <cstring>
#include <string_view>
#include <vector>

#include "filters/registry.h"

namespace heddle {
namespace {

template <size_t N>
std::string_view view_of(const char (&text)[N]) {
  return {text, strnlen(text, N)};
}

std::string refused_by_icb(const std::vector<FilterSpec>& specs) {
  if (has_filter(specs, FilterKind::super_step))
    return "the filter super-step cannot be combined with icb: the executions it keeps may need "
           "more preemptions than those it drops";
  if (has_filter(specs, FilterKind::local_cycles))
    return "the filter local-cycles cannot be combined with icb: leaving a cycle out may cost "
           "preemptions";
  return {};
}

std::string refused_by_dfs(const std::vector<FilterSpec>& specs) {
  if (has_filter(specs, FilterKind::super_step) && has_filter(specs, FilterKind::local_cycles))
    return "the filters super-step and local-cycles cannot be combined: super steps are sound only "
           "where executions end by themselves";
  return {};
}

}  // namespace

bool needs_attempts(std::string_view strategy) {
  return strategy.ends_with("dpor") || strategy == "portfolio";
}

bool leaves_out_executions(const RunOptions& options) {
  if (options.mode == Mode::Replay) return false;
  const std::string_view strategy = view_of(options.strategy);
  return options.blocking == Blocking::Attempt || options.filters[0] != '\0' ||
         strategy.starts_with("cb-por") || strategy == "sleep-sets";
}

bool leaves_out_states(const RunOptions& options) {
  if (options.mode == Mode::Replay) return false;
  const std::string_view strategy = view_of(options.strategy);
  return needs_attempts(strategy) || strategy == "cb-por-2" ||
         view_of(options.filters).find("super-step") != std::string_view::npos;
}

std::string refusal(const RunOptions& options) {
  std::vector<FilterSpec> specs;
  if (std::string mistake = parse_filters(view_of(options.filters), specs); !mistake.empty())
    return mistake;
  const std::string_view strategy = view_of(options.strategy);
  if (options.order != PickOrder::Depth && strategy != "dfs")
    return "an order of picking is for --strategy=dfs only; " + std::string(strategy) +
           " has an order of its own";
  if (options.equivalence == Equivalence::ReadsFrom && strategy != "optimal-dpor" &&
      strategy != "portfolio")
    return "reads-from is an equivalence for optimal-dpor and the portfolio; " +
           std::string(strategy) + " knows one of its own";
  if (options.equivalence == Equivalence::ReadsFrom && options.bound >= 0)
    return "the equivalence reads-from cannot be combined with a bound: of the executions that are "
           "equivalent it runs one, with any number of preemptions";
  if (options.exact_states && !has_filter(specs, FilterKind::seen))
    return "exact states are for the filter seen only";
  if (specs.empty()) return {};
  if (strategy == "dfs") return refused_by_dfs(specs);
  if (strategy == "icb") return refused_by_icb(specs);
  return "filters cannot be combined with --strategy=" + std::string(strategy) +
         "; they are for dfs and icb";
}

}  // namespace heddle
