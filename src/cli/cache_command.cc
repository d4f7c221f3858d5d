// heddle cache: shows the programs that were compiled for checks, or removes them.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/option_parser.h"
#include "cli/program_cache.h"
#include "cli/standard_output.h"
#include "report/text_style.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle cache [clear]\n\n"
    "Shows where the programs are that heddle check has compiled from sources, and how large they\n"
    "are; clear removes them. Their traces cannot be replayed then until they are checked again.\n"
    "When they become more than HEDDLE_CACHE_LIMIT megabytes (200), the oldest are removed.\n";

}  // namespace

Result<int> cache_command(Words words) {
  Result<Arguments> arguments = parse_options(words, "cache", {});
  if (!arguments) return arguments.error();
  if (arguments->help) {
    print_text(kHelp);
    return kExitPass;
  }
  const bool clear = arguments->words.size() == 1 && arguments->words.front() == "clear";
  if (!clear && !arguments->words.empty())
    return Error{
        fmt::format("heddle cache takes nothing or clear, but got {}", arguments->words.front())};
  Result<std::string> folder = cache_folder();
  if (!folder) return folder.error();
  uint64_t bytes = 0, count = 0;
  for (const CachedProgram& program : cached_programs(*folder)) {
    std::error_code error;
    if (clear && !std::filesystem::remove(program.path, error))
      return Error{fmt::format("cannot remove {}: {}", program.path, error.message())};
    bytes += program.bytes;
    ++count;
  }
  print_output("{}{}, {:.1f} MB in {} (limit: {} MB)\n", clear ? "removed: " : "",
               counted(count, "program"), static_cast<double>(bytes) / (1 << 20), *folder,
               cache_limit() >> 20);
  return kExitPass;
}

}  // namespace heddle
