#include "report/sarif_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "report/cause.h"
#include "report/evidence.h"
#include "report/plain_text.h"
#include "report/story.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

// As its publisher calls it.
constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// Viewers load all of a flow at once; of longer executions the beginning and the end are given.
constexpr size_t kMostSteps = 10'000;

Json message(std::string_view text) {
  return {{"text", valid_utf8(text)}};
}

Json physical(const Place& place) {
  Json region = {{"startLine", place.line}};
  if (place.column > 0) region["startColumn"] = place.column;
  return {{"artifactLocation", {{"uri", file_uri(place.file)}}}, {"region", region}};
}

Json location(const Place& place, std::string_view text) {
  Json json = Json::object();
  if (place.known()) json["physicalLocation"] = physical(place);
  if (!place.function.empty())
    json["logicalLocations"] = {{{"name", place.function}, {"kind", "function"}}};
  if (!text.empty()) json["message"] = message(text);
  return json;
}

class Result {
 public:
  Result(const ReportedFinding& finding, size_t rule)
      : finding_(finding), trace_(finding.trace), narrator_(trace_), story_(tell(narrator_)) {
    json_["ruleId"] = name(trace_.failure.kind);
    json_["ruleIndex"] = rule;
    json_["level"] = "error";
    json_["kind"] = "fail";
    json_["message"] = message(headline_of(narrator_).message);
    json_["locations"] = Json::array();
    if (story_.failure_place.known())
      json_["locations"].push_back(location(story_.failure_place, ""));
    json_["occurrenceCount"] = std::max<uint64_t>(1, trace_.occurrences);
    json_["partialFingerprints"] = {{"heddle/v1", fingerprint()}};
    if (!story_.steps.empty()) json_["codeFlows"] = Json::array({code_flow()});
    if (!trace_.failure_stack.empty()) json_["stacks"] = Json::array({stack()});
    if (!trace_.evidence.empty()) json_["relatedLocations"] = related();
    json_["properties"] = {{"preemptions", trace_.preemptions},
                           {"schedule", to_string(trace_.schedule)},
                           {"execution", trace_.execution},
                           {"traceFile", valid_utf8(finding_.trace_file)},
                           {"steps", trace_.steps.size()}};
  }

  Json json() && { return std::move(json_); }

 private:
  // The same bug keeps it when lines above are edited.
  std::string fingerprint() const {
    std::string text = fmt::format("{}|{}|{}", name(trace_.failure.kind), story_.failure_place.file,
                                   story_.failure_place.function);
    uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
  }

  // The accesses of a race, and where a block came from and went.
  Json related() {
    Json list = Json::array();
    for (const TraceEvidence& evidence : trace_.evidence) {
      Json json = location(narrator_.place_of(evidence), evidence_line(narrator_, evidence));
      json["id"] = list.size() + 1;
      list.push_back(std::move(json));
    }
    return list;
  }

  Json code_flow() {
    std::vector<Json> flows;
    for (const StoryThread& thread : story_.threads)
      flows.push_back({{"id", std::to_string(index(thread.id))},
                       {"message", message(narrator_.thread_label(thread.id))},
                       {"locations", Json::array()}});
    size_t left_out = 0;
    for (size_t i = 0; i < story_.steps.size(); ++i) {
      if (i >= kMostSteps / 2 && i + kMostSteps / 2 < story_.steps.size()) {
        ++left_out;
        continue;
      }
      const StoryStep& step = story_.steps[i];
      flows[at(step.thread)]["locations"].push_back(step_json(step, i + 1));
    }
    for (const StoryAccess& access : story_.accesses)
      add_access(access, flows[at(access.thread)]["locations"]);
    for (const StoryEnd& end : story_.ends)
      flows[at(end.thread)]["locations"].push_back(end_json(end));
    Json threads = Json::array();
    for (Json& flow : flows)
      if (!flow["locations"].empty()) threads.push_back(std::move(flow));
    std::string text = "the execution that shows it, one flow per thread";
    if (left_out > 0) text += fmt::format("; {} steps in the middle are left out", left_out);
    return {{"message", message(text)}, {"threadFlows", std::move(threads)}};
  }

  // Behind the step that it is part of.
  void add_access(const StoryAccess& access, Json& locations) {
    Json json = {{"location", location(place(access.place), access.description)},
                 {"executionOrder", access.step + 1},
                 {"importance", "essential"},
                 {"nestingLevel", 1},
                 {"kinds", {std::string(in_words(access.mark))}}};
    auto behind = locations.begin();
    while (behind != locations.end() && (*behind)["executionOrder"] <= access.step + 1) ++behind;
    locations.insert(behind, std::move(json));
  }

  static size_t at(int32_t number) { return static_cast<size_t>(number); }

  Place place(int32_t number) const {
    return number == kNothing ? Place{} : story_.places[at(number)];
  }

  Json step_json(const StoryStep& step, size_t number) {
    Json json = {{"location", location(place(step.place), step.description)},
                 {"executionOrder", number},
                 {"importance", step.preempts ? "essential" : "important"},
                 {"kinds", {std::string(name(step.op))}}};
    Json properties = Json::object();
    if (step.preempts) properties["preempts"] = true;
    if (!step.after.empty()) {
      Json after = Json::array();
      for (uint32_t other : step.after) after.push_back(other + 1);
      properties["after"] = after;
    }
    if (step.choices > 1) {
      properties["choice"] = step.choice;
      properties["choices"] = step.choices;
    }
    if (!properties.empty()) json["properties"] = properties;
    return json;
  }

  Json end_json(const StoryEnd& end) {
    std::string text = (end.enabled ? "next: " : "blocked for ever: ") + end.description;
    return {{"location", location(place(end.place), text)},
            {"executionOrder", story_.steps.size() + 1},
            {"importance", end.enabled ? "unimportant" : "essential"}};
  }

  Json stack() {
    Json frames = Json::array();
    for (const SourceFrame& frame : narrator_.failure_stack()) {
      Place place{frame.file, frame.file, frame.has_source() ? frame.line : 0, frame.column,
                  frame.function};
      frames.push_back({{"location", location(place, frame.function)}});
    }
    return {{"message", message("where it shows")}, {"frames", frames}};
  }

  const ReportedFinding& finding_;
  const Trace& trace_;
  Narrator narrator_;
  Story story_;
  Json json_;
};

Json rule(FindingKind kind) {
  return {{"id", name(kind)},
          {"shortDescription", message(fmt::format("{} under some schedule", name(kind)))},
          {"defaultConfiguration", {{"level", "error"}}}};
}

}  // namespace

std::string sarif_report(const RunResult& result, const std::string& version) {
  std::map<FindingKind, size_t> rules;
  Json rule_list = Json::array(), results = Json::array();
  for (const ReportedFinding& finding : result.findings) {
    FindingKind kind = finding.trace.failure.kind;
    auto [entry, is_new] = rules.emplace(kind, rules.size());
    if (is_new) rule_list.push_back(rule(kind));
    results.push_back(Result(finding, entry->second).json());
  }
  Json notes = Json::array();
  for (const std::string& note : result.notes)
    notes.push_back({{"level", "note"}, {"message", message(note)}});
  Json invocation = {{"executionSuccessful", true}};
  if (!notes.empty()) invocation["toolExecutionNotifications"] = notes;
  Json properties = {{"verdict", name(result.verdict)}, {"guarantee", result.guarantee},
                     {"endReason", result.end_reason},  {"program", valid_utf8(result.program)},
                     {"strategy", result.strategy},     {"executions", result.executions},
                     {"seconds", result.seconds}};
  Json run = {{"tool",
               {{"driver",
                 {{"name", "Heddle"},
                  {"version", version},
                  {"semanticVersion", version},
                  {"rules", rule_list}}}}},
              {"invocations", {invocation}},
              {"columnKind", "utf16CodeUnits"},
              {"results", results},
              {"properties", properties}};
  Json log = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", {run}}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heddle
