// heddle strategies: the names for --strategy= and --filter=, one line each.
#include <fmt/format.h>

#include "cli/commands.h"
#include "filters/registry.h"
#include "strategies/registry.h"

namespace heddle {

Result<int> strategies_command(Words words) {
  if (!words.empty() && words.front() != "--help")
    return Error{fmt::format("heddle strategies takes no arguments, but got {}", words.front())};
  for (const StrategyInfo& info : strategies())
    fmt::print("{:10} {}\n", info.name, info.description);
  fmt::print("\nWith dfs and icb, --filter= takes a list of:\n");
  for (const FilterInfo& info : filters()) {
    const char* number = info.argument == FilterArgument::None ? "" : ":N";
    fmt::print("{:14} preserves {}\n", std::string(info.name) + number, info.preserves);
  }
  fmt::print("icb takes seen and depth only; super-step and local-cycles exclude each other.\n");
  return 0;
}

}  // namespace heddle
