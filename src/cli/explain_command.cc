// heddle explain: tells what a trace file holds, without running anything.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cli/commands.h"
#include "cli/did_you_mean.h"
#include "cli/exit_status.h"
#include "cli/findings.h"
#include "cli/outputs.h"
#include "cli/program.h"
#include "cli/standard_output.h"
#include "cli/terminal.h"
#include "cli/trace_request.h"
#include "model/finding_names.h"
#include "report/kinds_explained.h"
#include "report/narrative.h"
#include "report/text_report.h"
#include "report/text_style.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle explain TRACE [options]\n"
    "       heddle explain --code [KIND]\n\n"
    "Tells what happened in the execution of a trace file: the report of the bug, the execution "
    "in\n"
    "sentences, and what bugs of its kind usually call for. Nothing is run.\n\n"
    "With --code: what a kind of finding (data-race, …) means, with an example and what to do "
    "about\n"
    "it; without KIND, a list of the kinds.\n\n";
constexpr const char* kStatus = "\nexit status: 0, or 2 if the trace cannot be read\n";

// The words of the trace file stand in when the program it belongs to cannot be asked any more.
std::string forget_changed_program(Trace& trace) {
  Result<Program> program = inspect_program(trace.program);
  if (program && program->identity == trace.build_id) return "";
  trace.modules.clear();
  return fmt::format("{} {}; names and places are those of the trace file", trace.program,
                     program ? "has changed since" : "cannot be read any more");
}

void print_report(const Trace& trace, const std::string& note, bool full) {
  TextStyle style = style_of_stdout();
  style.full = full;
  Narrator narrator(trace);
  print_text(trace_report(trace, style));
  if (!trace.steps.empty())
    print_output("\n{}\n{}", painted("in words:", Paint::Strong, style),
                 wrapped(narrative(narrator, style), style));
  if (std::string hint = advice(trace); !hint.empty())
    print_output("\n{} {}\n", painted("what to look at:", Paint::Strong, style), hint);
  if (!note.empty()) print_output("note: {}\n", note);
}

// --code alone lists the kinds.
Result<int> explain_kind(const std::string& kind) {
  if (kind.empty()) {
    print_text(list_of_explanations());
    return kExitPass;
  }
  const std::string& word = kind == "race" ? std::string(name(FindingKind::DataRace)) : kind;
  if (const std::optional<FindingKind> known = finding_kind_from_name(word)) {
    print_text(explanation(*known, style_of_stdout()));
    return kExitPass;
  }
  return Error{fmt::format("there is no kind of finding \"{}\"{}; heddle explain --code lists them",
                           kind, did_you_mean(kind, finding_kind_names()))};
}

}  // namespace

Result<int> explain_command(Words words) {
  constexpr std::string_view kCode = "--code", kCodeIs = "--code=";
  if (!words.empty() && words[0].starts_with(kCodeIs) && words.size() == 1)
    return explain_kind(words[0].substr(kCodeIs.size()));
  if (!words.empty() && words[0] == kCode && words.size() <= 2)
    return explain_kind(words.size() == 2 ? words[1] : "");
  Result<TraceRequest> request = parse_trace_request(words, "explain", Gdb::Unknown);
  if (!request) return request.error();
  if (request->help) {
    print_output("{}{}{}", kHelp, trace_options_help(Gdb::Unknown), kStatus);
    return kExitPass;
  }
  Result<Trace> trace = read_trace(request->trace_file);
  if (!trace) return trace.error();
  std::string note = forget_changed_program(*trace);

  const std::string name = std::filesystem::path(trace->program).filename().string();
  Result<OpenOutputs> outputs = OpenOutputs::open(request->output, name, {request->trace_file});
  if (!outputs) return outputs.error();
  std::string complaint;
  if (!request->output.outputs.empty()) {
    RunResult result;
    result.verdict = Verdict::Fail;
    result.end_reason = "read from a trace file";
    result.program = trace->program;
    result.name = name;
    result.strategy = "none";
    result.executions = 0;
    if (!note.empty()) result.notes.push_back(note);
    result.findings.push_back({1, *trace, request->trace_file});
    const OpenOutputs::Delivery delivery = outputs->deliver(result);
    if (outputs->speaks()) print_text(delivery.text);
    complaint = delivery.complaint;
  }
  if (!outputs->speaks()) print_report(*trace, note, request->output.full);
  if (!complaint.empty()) return Error{complaint};
  return kExitPass;
}

}  // namespace heddle
