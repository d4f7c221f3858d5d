// The command line of the commands that take one trace file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/option_table.h"
#include "cli/outputs.h"

namespace heddle {

struct TraceRequest {
  std::string trace_file;
  OutputOptions output;
  bool gdb = false;
  std::vector<std::string> for_gdb;  // more words for it, from behind "--"
  bool trust = false;    // run the program though it is not known that the trace is about it
  std::string program;   // to be run in place of the one that the trace names
  double watchdog = 10;  // seconds
  bool help = false;
};

enum class Gdb : uint8_t { Unknown, Allowed };  // the option --gdb

Result<TraceRequest> parse_trace_request(Words words, std::string_view command, Gdb gdb);
std::string trace_options_help(Gdb gdb);
std::vector<OptionInfo> trace_option_list(Gdb gdb);

}  // namespace heddle
