#include "cli/trace_request.h"

#include <fmt/format.h>

namespace heddle {

Result<TraceRequest> parse_trace_request(Words words, std::string_view command, Gdb gdb) {
  constexpr std::string_view kProgram = "--program=";
  TraceRequest request;
  for (const std::string& word : words) {
    if (word == "--gdb" && gdb == Gdb::Allowed) {
      request.gdb = true;
    } else if (word == "--trust" && gdb == Gdb::Allowed) {
      request.trust = true;
    } else if (word.starts_with(kProgram) && gdb == Gdb::Allowed) {
      request.program = word.substr(kProgram.size());
      if (request.program.empty()) return Error{"--program needs the name of a program"};
    } else if (word == "--help" || word == "-h") {
      request.help = true;
    } else if (take_output_word(word, request.output)) {
      continue;
    } else if (word.starts_with('-')) {
      return Error{fmt::format("unknown option {}; see heddle {} --help", word, command)};
    } else if (!request.trace_file.empty()) {
      return Error{fmt::format("more than one trace is named ({} and {}); name one",
                               request.trace_file, word)};
    } else {
      request.trace_file = word;
    }
  }
  if (std::string complaint = output_complaint(request.output.outputs); !complaint.empty())
    return Error{complaint};
  if (request.trace_file.empty() && !request.help)
    return Error{
        fmt::format("name a trace file, as heddle check wrote it; see heddle {} --help", command)};
  return request;
}

}  // namespace heddle
