#include "cli/debugger.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cli/process.h"
#include "report/text_report.h"

namespace heddle {
namespace {

// Selects the innermost frame that belongs to the program and has source lines.
constexpr const char* kSelectFrame = R"PY(python exec("""
import gdb
def own(frame):
    library = gdb.solib_name(frame.pc()) or ''
    return frame.find_sal().symtab is not None and not library.startswith(('/lib', '/usr/lib')) \
        and not library.endswith('/libheddle.so')
def select():
    try:
        frame = gdb.newest_frame()
    except gdb.error:
        return
    while frame is not None and not own(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()
        gdb.execute('frame')
select()
"""))PY";

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

Error replace_by_debugger(const Target& target, int channel_fd) {
  std::vector<std::string> command = {"gdb", "-q"};
  for (const std::string& line :
       {std::string("set breakpoint pending on"), std::string("set confirm off"),
        exec_wrapper(target, channel_fd), std::string("break heddle_debug_stop"),
        std::string("run < /dev/null"), std::string(kSelectFrame)})
    command.insert(command.end(), {"-ex", line});
  if (!isatty(STDIN_FILENO)) command.push_back("-batch");
  command.insert(command.end(), {"--args", target.program});
  command.insert(command.end(), target.arguments.begin(), target.arguments.end());
  return replace_process(command);
}

}  // namespace heddle
