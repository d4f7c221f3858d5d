#include "report/lines_report.h"

#include <fmt/format.h>

#include <string_view>

#include "report/evidence.h"
#include "report/narrator.h"
#include "report/story.h"
#include "report/text_report.h"
#include "trace/trace_format.h"

namespace heddle {
namespace {

void add(std::string& text, std::string_view key, std::string_view value) {
  text.append(key).append(" ");
  trace_format::append_escaped(text, value);
  text += '\n';
}

void add_finding(std::string& text, const ReportedFinding& finding) {
  const Trace& trace = finding.trace;
  Narrator narrator(trace);
  Story story = tell(narrator);
  add(text, "finding", name(trace.failure.kind));
  add(text, "message", failure_message(narrator));
  add(text, "location", in_full(story.failure_place));
  add(text, "preemptions", fmt::to_string(trace.preemptions));
  add(text, "schedule", to_string(trace.schedule));
  add(text, "trace_file", finding.trace_file);
}

}  // namespace

std::string lines_report(const RunResult& result) {
  std::string text;
  add(text, "verdict", name(result.verdict));
  add(text, "guarantee", result.guarantee);
  add(text, "end_reason", result.end_reason);
  add(text, "strategy", result.strategy);
  add(text, "executions", fmt::to_string(result.executions));
  for (const std::string& note : result.notes) add(text, "note", note);
  for (const ReportedFinding& finding : result.findings) add_finding(text, finding);
  add(text, "report", text_report(result, TextStyle{}));
  return text;
}

}  // namespace heddle
