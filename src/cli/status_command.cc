// heddle status: how far a session has come.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/option_parser.h"
#include "cli/session_report.h"
#include "cli/standard_output.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle status FILE [--json]\n\n"
    "Tells how far the search has come whose session (heddle check --session=FILE) this is: its\n"
    "program and strategy, executions so far, items of work that are open, the verdict if it has\n"
    "ended. That may be done while the search goes on.\n\n"
    "options:\n"
    "  --json\n"
    "      as a JSON document\n";

}  // namespace

Result<int> status_command(Words words) {
  bool json = false;
  Result<Arguments> arguments = parse_options(words, "status", {make_switch("--json", json)});
  if (!arguments) return arguments.error();
  if (arguments->help) {
    print_text(kHelp);
    return kExitPass;
  }
  if (arguments->words.size() != 1) return Error{"name a session; see heddle status --help"};
  Result<Session> session = Session::look(arguments->words.front());
  if (!session) return session.error();
  print_text(json ? session_json(*session) : session_text(*session));
  return kExitPass;
}

}  // namespace heddle
