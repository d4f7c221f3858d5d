// heddle strategies: the names for --strategy=, one line each.
#include <fmt/format.h>

#include "cli/commands.h"
#include "strategies/registry.h"

namespace heddle {

Result<int> strategies_command(Words words) {
  if (!words.empty() && words.front() != "--help")
    return Error{fmt::format("heddle strategies takes no arguments, but got {}", words.front())};
  for (const StrategyInfo& info : strategies())
    fmt::print("{:10} {}\n", info.name, info.description);
  return 0;
}

}  // namespace heddle
