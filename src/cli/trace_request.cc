#include "cli/trace_request.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

// clang-format off
constexpr OptionRow<TraceRequest> kOptions[] = {
    {"gdb", nullptr, nullptr, nullptr,
     "stop in gdb where the bug shows, on the stack of the failing thread; commands there:\n"
     "      heddle threads, heddle thread N, heddle next-step, heddle back, heddle until STEP. Words\n"
     "      behind -- are for gdb, which then does not start the program by itself",
     [](TraceRequest& r, std::string_view) { return r.gdb = true; }},
    {"trust", nullptr, nullptr, nullptr,
     "run the program though it has changed since, or the trace comes from elsewhere",
     [](TraceRequest& r, std::string_view) { return r.trust = true; }},
    {"program", "FILE", nullptr, "the name of a program",
     "run this program, not the one that the trace names (with --trust, if they are not the\n"
     "      same)",
     [](TraceRequest& r, std::string_view t) {
       r.program = t;
       return !t.empty();
     }},
    {"watchdog", "SECONDS", "10", "a number of seconds above 0",
     "how long a thread may do without a visible action, in processor time if it runs",
     [](TraceRequest& r, std::string_view t) { return read(t, 1e-3, kYear, r.watchdog); }},
    {"output", "KIND[:FILE]", "text", kOutputValues,
     "the format of the report, and where it goes if not to standard output; may be repeated",
     [](TraceRequest& r, std::string_view t) { return add_output(t, r.output.outputs); }, true},
    {"html", "FILE", nullptr, "a file or a directory",
     "short for --output=html:FILE",
     [](TraceRequest& r, std::string_view t) { return add_html(t, r.output.outputs); }},
    {"json", nullptr, nullptr, nullptr,
     "short for --output=json",
     [](TraceRequest& r, std::string_view) { return add_output("json", r.output.outputs); }},
    {"full", nullptr, nullptr, nullptr,
     "show every step",
     [](TraceRequest& r, std::string_view) { return r.output.full = true; }},
    {"help", nullptr, nullptr, nullptr,
     "print this text", nullptr},
};
// clang-format on
constexpr size_t kOnlyWhereItRuns = 4;  // the first of them

OptionTable<TraceRequest> rows(Gdb gdb) {
  return OptionTable<TraceRequest>(kOptions).subspan(gdb == Gdb::Allowed ? 0 : kOnlyWhereItRuns);
}

}  // namespace

std::string trace_options_help(Gdb gdb) {
  return help_of(rows(gdb));
}

std::vector<OptionInfo> trace_option_list(Gdb gdb) {
  return list_of(rows(gdb));
}

Result<TraceRequest> parse_trace_request(Words words, std::string_view command, Gdb gdb) {
  TraceRequest request;
  const auto end = std::find(words.begin(), words.end(), "--");
  if (end != words.end()) {
    request.for_gdb.assign(end + 1, words.end());
    words = words.first(static_cast<size_t>(end - words.begin()));
  }
  Result<Arguments> arguments = parse_options(words, command, options_into(rows(gdb), request));
  if (!arguments) return arguments.error();
  request.help = arguments->help;
  if (request.help) return request;
  if (!request.for_gdb.empty() && !request.gdb)
    return Error{fmt::format("{} is for gdb, but --gdb is not given", request.for_gdb.front())};
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
