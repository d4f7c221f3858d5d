#include "cli/debugger.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/library.h"
#include "cli/process.h"
#include "report/text_report.h"

namespace heddle {
namespace {

// What the runtime needs must reach the program but neither gdb nor the shell it uses to start
// programs; so env(1) sets it. gdb adds LINES and COLUMNS, which a plain replay would not have.
std::string exec_wrapper(const Target& target, int channel_fd) {
  std::string command = "set exec-wrapper env -u LINES -u COLUMNS";
  const char* nothing = nullptr;
  for (const std::string& variable : target_environment(&nothing, target.library, channel_fd))
    command += ' ' + shell_word(variable);
  return command;
}

}  // namespace

Error replace_by_debugger(const Target& target, int channel_fd,
                          const std::vector<std::string>& words) {
  Result<std::string> extension = find_shared_file("heddle_gdb.py");
  if (!extension) return extension.error();
  std::vector<std::string> command = {"gdb", "-q"};
  for (const std::string& line : {std::string("set breakpoint pending on"),
                                  std::string("set confirm off"), std::string("set pagination off"),
                                  exec_wrapper(target, channel_fd), "source " + *extension})
    command.insert(command.end(), {"-ex", line});
  if (words.empty()) command.insert(command.end(), {"-ex", "python go(0)"});
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--args", target.program});
  command.insert(command.end(), target.arguments.begin(), target.arguments.end());
  return replace_process(command);
}

}  // namespace heddle
