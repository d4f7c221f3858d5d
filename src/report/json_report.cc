#include "report/json_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/cause.h"
#include "report/evidence.h"
#include "report/narrator.h"
#include "report/story.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// docs/schema/report.schema.json. The version changes when a field goes or means something else.
constexpr const char* kSchema = "urn:heddle:schema:report:1";
constexpr int kSchemaVersion = 1;

// An execution of more steps is left to the trace file.
constexpr size_t kMostSteps = 5'000;

Json place_json(const Story& story, int32_t number) {
  if (number == kNothing) return {};
  const Place& place = story.places[static_cast<size_t>(number)];
  return {{"file", place.path},
          {"line", place.line},
          {"column", place.column},
          {"function", place.function}};
}

std::string object_name(const Story& story, int32_t number) {
  return number == kNothing ? "" : story.objects[static_cast<size_t>(number)].name;
}

Json thread_number(const Story& story, int32_t number) {
  if (number == kNothing) return {};
  return index(story.threads[static_cast<size_t>(number)].id);
}

Json step_json(const Story& story, const StoryStep& step, size_t number) {
  Json json = {{"step", number},
               {"thread", thread_number(story, step.thread)},
               {"operation", name(step.op)},
               {"description", step.description},
               {"object", object_name(story, step.object)},
               {"place", place_json(story, step.place)},
               {"preempts", step.preempts},
               {"choice", step.choice},
               {"choices", step.choices},
               {"after", Json::array()}};
  for (uint32_t other : step.after) json["after"].push_back(other + 1);
  return json;
}

Json access_json(const Story& story, const StoryAccess& access) {
  Json json = {{"step", access.step + 1},
               {"thread", thread_number(story, access.thread)},
               {"mark", in_words(access.mark)},
               {"operation", name(access.op)},
               {"description", access.description},
               {"object", object_name(story, access.object)},
               {"place", place_json(story, access.place)}};
  if (access.value) json["value"] = *access.value;
  return json;
}

Json end_json(const Story& story, const StoryEnd& end) {
  return {{"thread", thread_number(story, end.thread)},
          {"description", end.description},
          {"object", object_name(story, end.object)},
          {"place", place_json(story, end.place)},
          {"enabled", end.enabled},
          {"waits_for", thread_number(story, end.waits_for)}};
}

void add_story(Json& json, const Story& story) {
  json["threads"] = Json::array();
  for (const StoryThread& thread : story.threads)
    json["threads"].push_back(
        {{"id", index(thread.id)},
         {"name", thread.name},
         {"parent", thread.parent == kNoThread ? Json() : Json(index(thread.parent))}});
  json["trace_complete"] = story.steps.size() <= kMostSteps;
  json["trace"] = Json::array();
  if (story.steps.size() <= kMostSteps)
    for (size_t i = 0; i < story.steps.size(); ++i)
      json["trace"].push_back(step_json(story, story.steps[i], i + 1));
  json["accesses"] = Json::array();
  for (const StoryAccess& access : story.accesses)
    json["accesses"].push_back(access_json(story, access));
  json["pending"] = Json::array();
  for (const StoryEnd& end : story.ends) json["pending"].push_back(end_json(story, end));
}

Json stack_json(const std::vector<SourceFrame>& frames) {
  Json list = Json::array();
  for (const SourceFrame& frame : frames)
    list.push_back({{"function", frame.function}, {"file", frame.file}, {"line", frame.line}});
  return list;
}

Json evidence_json(Narrator& narrator, const TraceEvidence& evidence) {
  Json json;
  json["role"] = name(evidence.role);
  json["thread"] = index(evidence.action.thread);
  json["thread_name"] = narrator.thread_name(evidence.action.thread);
  if (info(evidence.role).is_access || evidence.role == EvidenceRole::Loop)
    json["operation"] = name(evidence.action.op);
  json["size"] = evidence.action.size;
  if (evidence.step != 0) json["step"] = evidence.step;
  if (evidence.value) json["value"] = *evidence.value;
  json["locks"] = Json::array();
  for (Address lock : evidence.locks) json["locks"].push_back(narrator.object_name(lock));
  json["stack"] = stack_json(narrator.stack(evidence.stack));
  return json;
}

Json finding_json(const ReportedFinding& finding) {
  const Trace& trace = finding.trace;
  Narrator narrator(trace);
  Story story = tell(narrator);
  Json json;
  json["number"] = finding.number;
  json["kind"] = name(trace.failure.kind);
  json["message"] = failure_message(narrator);
  const Headline headline = headline_of(narrator);
  json["headline"] = fmt::format("{}: {}", headline.kind, headline.message);
  json["location"] = in_full(story.failure_place);
  json["preemptions"] = trace.preemptions;
  json["schedule"] = to_string(trace.schedule);
  json["trace_file"] = finding.trace_file;
  json["thread"] = trace.failure.thread == kNoThread ? Json() : Json(index(trace.failure.thread));
  json["execution"] = trace.execution;
  json["occurrences"] = trace.occurrences;
  json["steps"] = trace.steps.size();
  json["simplification"] = trace.cut_short ? "cut-short" : "done";
  if (trace.failure.object != kNoAddress)
    json["object"] = narrator.object_name(trace.failure.object);
  Cause cause = cause_of(narrator);
  if (!cause.kind.empty()) {
    json["cause"] = {{"kind", cause.kind},
                     {"sentence", cause.sentence},
                     {"steps", Json::array()},
                     {"confirmed", cause.confirmed}};
    for (size_t step : cause.steps) json["cause"]["steps"].push_back(step + 1);
  }
  json["evidence"] = Json::array();
  for (const TraceEvidence& evidence : trace.evidence)
    json["evidence"].push_back(evidence_json(narrator, evidence));
  json["output"] = trace.output;
  add_story(json, story);
  return json;
}

}  // namespace

std::string json_report(const RunResult& result, const std::string& version) {
  Json json;
  json["$schema"] = kSchema;
  json["schema_version"] = kSchemaVersion;
  json["tool_version"] = version;
  json["verdict"] = name(result.verdict);
  json["guarantee"] = result.guarantee;
  json["caveats"] = Json::array();
  for (Caveat caveat : caveats_of(result.facts)) json["caveats"].push_back(name(caveat));
  json["end_reason"] = result.end_reason;
  json["program"] = result.program;
  json["strategy"] = result.strategy;
  json["bound"] = result.bound < 0 ? Json() : Json(result.bound);
  json["executions"] = result.executions;
  json["failing_executions"] = result.failing_executions;
  json["blocked"] = result.blocked;
  json["dismissed"] = result.dismissed;
  json["redundant"] = result.redundant;
  json["events"] = result.events;
  json["longest"] = result.longest;
  json["estimate"] = result.estimate == 0 ? Json() : Json(result.estimate);
  json["estimate_error"] = result.estimate_error == 0 ? Json() : Json(result.estimate_error);
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
