#include "report/json_report.h"

#include <nlohmann/json.hpp>

#include "report/narrator.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json finding_json(const ReportedFinding& finding) {
  const Trace& trace = finding.trace;
  Narrator narrator(trace);
  Json json;
  json["kind"] = name(trace.failure.kind);
  json["message"] = trace.failure.message;
  json["location"] = in_full(narrator.place_of_failure());
  json["preemptions"] = trace.preemptions;
  json["schedule"] = to_string(trace.schedule);
  json["trace_file"] = finding.trace_file;
  json["thread"] = trace.failure.thread == kNoThread ? Json() : Json(index(trace.failure.thread));
  json["execution"] = trace.execution;
  json["occurrences"] = trace.occurrences;
  json["steps"] = trace.steps.size();
  json["output"] = trace.output;
  return json;
}

}  // namespace

std::string json_report(const RunResult& result) {
  Json json;
  json["verdict"] = name(result.verdict);
  json["guarantee"] = result.guarantee;
  json["end_reason"] = result.end_reason;
  json["program"] = result.program;
  json["strategy"] = result.strategy;
  json["bound"] = result.bound < 0 ? Json() : Json(result.bound);
  json["executions"] = result.executions;
  json["failing_executions"] = result.failing_executions;
  json["blocked"] = result.blocked;
  json["redundant"] = result.redundant;
  json["events"] = result.events;
  json["longest"] = result.longest;
  json["deaths"] = result.deaths;
  json["seconds"] = result.seconds;
  json["cpu_seconds"] = result.cpu_seconds;
  json["startup_seconds"] = result.startup_seconds;
  json["notes"] = result.notes;
  json["findings"] = Json::array();
  for (const ReportedFinding& finding : result.findings)
    json["findings"].push_back(finding_json(finding));
  // What programs print need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heddle
