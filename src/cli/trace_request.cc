#include "cli/trace_request.h"

#include <fmt/format.h>

#include "cli/option_parser.h"

namespace heddle {

Result<TraceRequest> parse_trace_request(Words words, std::string_view command, Gdb gdb) {
  TraceRequest request;
  std::vector<Option> options = output_options(request.output);
  if (gdb == Gdb::Allowed) {
    options.push_back(make_switch("--gdb", request.gdb));
    options.push_back(make_switch("--trust", request.trust));
    options.push_back(
        {"--program", true, "the name of a program", [&request](std::string_view text) {
           request.program = text;
           return !text.empty();
         }});
  }
  Result<Arguments> arguments = parse_options(words, command, options);
  if (!arguments) return arguments.error();
  request.help = arguments->help;
  if (request.help) return request;
  const std::vector<std::string>& traces = arguments->words;
  if (traces.empty())
    return Error{
        fmt::format("name a trace file, as heddle check wrote it; see heddle {} --help", command)};
  if (traces.size() > 1)
    return Error{
        fmt::format("more than one trace is named ({} and {}); name one", traces[0], traces[1])};
  request.trace_file = traces.front();
  if (std::string complaint = output_complaint(request.output.outputs); !complaint.empty())
    return Error{complaint};
  return request;
}

}  // namespace heddle
