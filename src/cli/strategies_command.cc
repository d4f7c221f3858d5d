// heddle strategies: the names for --strategy= and --filter=, what each guarantees, and what may be
// combined. The combinations are asked of the rules that also refuse them, one by one.
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/option_parser.h"
#include "cli/standard_output.h"
#include "filters/registry.h"
#include "strategies/combinations.h"
#include "strategies/registry.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle strategies [--mdoc]\n\n"
    "Lists the strategies and filters of heddle check, what each guarantees or preserves, and "
    "what\n"
    "may be combined.\n\n"
    "  --mdoc   as a page of the manual\n";

const char* word(GuaranteeKind kind) {
  switch (kind) {
    case GuaranteeKind::Complete:
      return "complete";
    case GuaranteeKind::PerBound:
      return "per bound";
    case GuaranteeKind::Sampling:
      return "sampling";
  }
  return "";
}

// As it is written on the command line.
std::string sample(const FilterInfo& info) {
  return std::string(info.name) + (info.argument == FilterArgument::Required ? ":100" : "");
}

const char* argument(const FilterInfo& info) {
  switch (info.argument) {
    case FilterArgument::None:
      return "";
    case FilterArgument::Script:
      return "FILE";
    case FilterArgument::Optional:
    case FilterArgument::Required:
      break;
  }
  return "N";
}

// The name with its argument, `before` that.
std::string with_argument(std::string_view name, const char* before, const char* argument) {
  return std::string(name) + (*argument == '\0' ? "" : before) + argument;
}

void print_strategies() {
  print_output("{:13} {:10} {:6} {}\n", "strategy", "guarantee", "bound", "what it does");
  for (const StrategyInfo& info : strategies())
    print_output("{:13} {:10} {:6} {}\n", info.name, word(info.guarantee),
                 info.has(strategy_property::Bound) ? "yes" : "-", info.description);
  print_output(
      "\ncomplete: when it ends, nothing was left out but the order of independent steps.\n"
      "per bound: when a bound is done, everything with at most so many preemptions (delays,\n"
      "context switches for the strategies of that name); a complete\n"
      "strategy that takes a bound (--bound=N) guarantees the same for that bound.\n"
      "sampling: no guarantee but the number of executions.\n"
      "With --equivalence=reads-from, optimal-dpor (also as part of the portfolio) runs one "
      "execution\n"
      "for each way in which reads can see writes; what is left out are orders of "
      "writes\n"
      "that nobody sees. Findings are the same; the memory at the end of executions may not be.\n");
}

void print_filters() {
  print_output("\n{:14} {}\n", "filter", "preserves");
  for (const FilterInfo& info : filters()) {
    print_output("{:14} {}\n", with_argument(info.name, ":", argument(info)), info.preserves);
  }
}

void print_combinations() {
  print_output("\n{:13} {}\n", "strategy", "filters it may be combined with");
  std::map<std::string, std::string> refused;  // why, and what
  const auto note = [&](const std::string& why, const std::string& what) {
    std::string& list = refused[why];
    list += (list.empty() ? "" : ", ") + what;
  };
  std::string without;
  for (const StrategyInfo& info : strategies()) {
    std::string allowed;
    for (const FilterInfo& filter : filters()) {
      if (info.filters == FilterUse::None) continue;
      RunOptions options;
      name_strategy(options, info.id);
      const ScriptText some_script;
      options.strategy_script = options.filter_script = &some_script;
      std::snprintf(options.filters, sizeof options.filters, "%s", sample(filter).c_str());
      const std::string why = refusal(options);
      if (why.empty())
        allowed += (allowed.empty() ? "" : ", ") + std::string(filter.name);
      else
        note(why, fmt::format("{} with {}", info.name, filter.name));
    }
    if (allowed.empty())
      without += (without.empty() ? "" : ", ") + std::string(info.name);
    else
      print_output("{:13} {}\n", info.name, allowed);
  }
  for (const FilterInfo& one : filters())
    for (const FilterInfo& other : filters()) {
      if (other.kind <= one.kind) continue;
      const FilterSpec pair[] = {{one.kind, 1}, {other.kind, 1}};
      const std::string why = refusal_of_pair(pair);
      if (!why.empty()) note(why, fmt::format("{} with {}", one.name, other.name));
    }
  print_output("none with: {}\n\nrefused\n", without);
  for (const auto& [why, what] : refused) print_output("  {}: {}\n", what, why);
  print_output(
      "  a filter with any other strategy: a reduction or a sampler needs to see whole "
      "executions,\n"
      "  and a filter cuts them short\n"
      "  a bound with optimal-dpor, source-dpor or sleep-sets: what sleeps may have been explored\n"
      "  only beyond the bound; dpor with a bound keeps nothing asleep and tries more places\n"
      "  reads-from with any other strategy, or with a bound: of the executions that see the same "
      "it\n"
      "  runs one, with any number of preemptions\n");
}

// The page of the manual, whose lists are those of the tables.
void print_mdoc() {
  print_output(
      ".Dd November 15, 2026\n"
      ".Dt HEDDLE-STRATEGIES 1\n"
      ".Os\n"
      ".Sh NAME\n"
      ".Nm heddle-strategies\n"
      ".Nd list the search strategies and filters\n"
      ".Sh SYNOPSIS\n"
      ".Nm heddle strategies\n"
      ".Op Fl -mdoc\n"
      ".Sh DESCRIPTION\n"
      ".Nm\n"
      "lists the names for\n"
      ".Fl -strategy\n"
      "and\n"
      ".Fl -filter\n"
      "of\n"
      ".Xr heddle-check 1 ,\n"
      "what each of them guarantees or preserves, and what may be combined.\n"
      "With\n"
      ".Fl -mdoc\n"
      "it prints this page.\n"
      ".Sh STRATEGIES\n"
      ".Bl -tag -width Ds\n");
  for (const StrategyInfo& info : strategies())
    print_output(".It Cm {}\n{}.\nGuarantee: {}{}.\n", info.name, info.description,
                 word(info.guarantee), info.has(strategy_property::Bound) ? "; takes a bound" : "");
  print_output(".El\n.Sh FILTERS\n.Bl -tag -width Ds\n");
  for (const FilterInfo& info : filters())
    print_output(".It Cm {}\nPreserves: {}.\n",
                 with_argument(info.name, " : Ns Ar ", argument(info)), info.preserves);
  print_output(
      ".El\n"
      ".Sh EXIT STATUS\n"
      "0, or 2 for an argument it does not know.\n"
      ".Sh SEE ALSO\n"
      ".Xr heddle 1 ,\n"
      ".Xr heddle-check 1\n");
}

}  // namespace

Result<int> strategies_command(Words words) {
  bool mdoc = false;
  Result<Arguments> none = parse_options_only(words, "strategies", {make_switch("--mdoc", mdoc)});
  if (!none) return none.error();
  if (none->help) {
    print_text(kHelp);
    return 0;
  }
  if (mdoc) {
    print_mdoc();
    return 0;
  }
  print_strategies();
  print_filters();
  print_combinations();
  return 0;
}

}  // namespace heddle
