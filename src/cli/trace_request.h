// The command line of the commands that take one trace file.
#pragma once

#include <string>

#include "cli/commands.h"
#include "cli/outputs.h"

namespace heddle {

struct TraceRequest {
  std::string trace_file;
  OutputOptions output;
  bool gdb = false;
  bool help = false;
};

enum class Gdb : uint8_t { Unknown, Allowed };  // the option --gdb

Result<TraceRequest> parse_trace_request(Words words, std::string_view command, Gdb gdb);

}  // namespace heddle
