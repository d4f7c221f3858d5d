#include "report/html_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "report/evidence.h"
#include "report/plain_message.h"
#include "report/plain_text.h"
#include "report/story.h"
#include "report/viewer_files.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLargestSource = 2'000'000;  // bytes of one file

// Steps lie in columns of numbers, and texts in tables: a long execution stays small and is read
// quickly.
class Page {
 public:
  explicit Page(const ReportedFinding& finding)
      : finding_(finding), trace_(finding.trace), narrator_(trace_), story_(tell(narrator_)) {}

  Json json() {
    Json json;
    json["kind"] = name(trace_.failure.kind);
    json["message"] = plain_message(narrator_);
    json["location"] = in_full(story_.failure_place);
    json["preemptions"] = trace_.preemptions;
    json["execution"] = trace_.execution;
    json["occurrences"] = trace_.occurrences;
    json["schedule"] = to_string(trace_.schedule);
    json["trace_file"] = finding_.trace_file;
    json["output"] = trace_.output;
    json["threads"] = threads();
    json["objects"] = objects();
    json["place"] = story_.failure_place.known() ? place(story_.failure_place) : Json();
    json["places"] = Json::array();
    for (const Place& each : story_.places) json["places"].push_back(place(each));
    add_steps(json);
    json["ends"] = ends();
    json["stack"] = stack(narrator_.failure_stack());
    json["evidence"] = Json::array();
    for (const TraceEvidence& evidence : trace_.evidence)
      json["evidence"].push_back({{"text", evidence_line(narrator_, evidence)},
                                  {"stack", stack(narrator_.stack(evidence.stack))}});
    json["files"] = std::move(files_);
    return json;
  }

 private:
  Json threads() const {
    Json list = Json::array();
    for (const StoryThread& thread : story_.threads)
      list.push_back({{"id", index(thread.id)}, {"name", thread.name}});
    return list;
  }

  Json objects() const {
    Json list = Json::array();
    for (const StoryObject& object : story_.objects)
      list.push_back({{"name", object.name}, {"sort", object.sort}, {"where", object.where}});
    return list;
  }

  Json place(const Place& where) {
    return Json::array({file(where), where.line, where.column, where.function});
  }

  size_t file(const Place& where) {
    auto [entry, is_new] = file_numbers_.try_emplace(where.path, file_numbers_.size());
    if (is_new)
      files_.push_back({{"path", where.file},
                        {"name", std::filesystem::path(where.path).filename().string()},
                        {"lines", lines_of(where.path)}});
    return entry->second;
  }

  static Json lines_of(const std::string& path) {
    std::error_code error;
    if (std::filesystem::file_size(path, error) > kLargestSource || error) return {};
    std::ifstream in(path);
    Json lines = Json::array();
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  void add_steps(Json& json) {
    std::vector<int32_t> thread, object, place;
    std::vector<size_t> description, changes, orders, preempting;
    std::vector<int64_t> locks;
    std::map<std::string, size_t> numbers;
    Json descriptions = Json::array();
    for (size_t i = 0; i < story_.steps.size(); ++i) {
      const StoryStep& step = story_.steps[i];
      thread.push_back(step.thread);
      object.push_back(step.object);
      place.push_back(step.place);
      std::string text = (step.marked ? "! " : "") + step.description;
      if (step.choices > 1) text += fmt::format(" ({} of {})", step.choice + 1, step.choices);
      for (const StoryAccess& access : story_.accesses)
        if (access.step == i) text += ", ! " + access.description;
      auto [entry, is_new] = numbers.try_emplace(text, numbers.size());
      if (is_new) descriptions.push_back(text);
      description.push_back(entry->second);
      if (step.changes) changes.push_back(i);
      if (step.preempts) preempting.push_back(i);
      for (uint32_t before : step.after) orders.insert(orders.end(), {before, i});
      auto at = static_cast<int64_t>(i);
      if (step.releases != kNothing) locks.insert(locks.end(), {at, step.releases, -1});
      if (step.acquires != kNothing) locks.insert(locks.end(), {at, step.acquires, 1});
    }
    json["descriptions"] = std::move(descriptions);
    json["steps"] = {{"thread", thread},
                     {"object", object},
                     {"place", place},
                     {"description", description},
                     {"changes", changes}};
    json["preempting"] = preempting;
    json["orders"] = orders;
    json["locks"] = locks;
  }

  Json ends() const {
    Json list = Json::array();
    for (const StoryEnd& end : story_.ends)
      list.push_back({{"thread", end.thread},
                      {"object", end.object},
                      {"place", end.place},
                      {"description", end.description},
                      {"enabled", end.enabled},
                      {"waits_for", end.waits_for}});
    return list;
  }

  static Json stack(const std::vector<SourceFrame>& frames) {
    Json list = Json::array();
    for (const SourceFrame& frame : frames) {
      std::string where =
          frame.has_source()
              ? fmt::format("{}:{}", std::filesystem::path(frame.file).filename().string(),
                            frame.line)
              : "";
      list.push_back(Json::array({frame.function, where}));
    }
    return list;
  }

  const ReportedFinding& finding_;
  const Trace& trace_;
  Narrator narrator_;
  Story story_;
  std::map<std::string, size_t> file_numbers_;
  Json files_ = Json::array();
};

Json run_json(const RunResult& result) {
  return {{"verdict", name(result.verdict)},
          {"guarantee", result.guarantee},
          {"end_reason", result.end_reason},
          {"program", result.program},
          {"name", result.name},
          {"strategy", result.strategy},
          {"executions", result.executions},
          {"events", result.events},
          {"longest", result.longest},
          {"seconds", result.seconds},
          {"notes", result.notes}};
}

Json plot(const char* title, const char* x, Json series) {
  return {{"title", title}, {"x", x}, {"series", std::move(series)}};
}

void add_progress(const RunResult& result, Json& list) {
  if (result.progress.size() < 2) return;
  Json executions = Json::array(), findings = Json::array(), bound = Json::array();
  for (const ProgressSample& sample : result.progress) {
    executions.push_back(Json::array({sample.seconds, sample.executions}));
    findings.push_back(Json::array({sample.seconds, sample.failing_executions}));
    if (sample.bound >= 0) bound.push_back(Json::array({sample.seconds, sample.bound}));
  }
  list.push_back(plot("executions over time", "seconds",
                      Json::array({{{"name", "executions"}, {"points", executions}},
                                   {{"name", "of them failing"}, {"points", findings}}})));
  if (bound.size() > 1)
    list.push_back(plot("bound over time", "seconds",
                        Json::array({{{"name", "preemptions"}, {"points", bound}}})));
}

// Some hundred points of each curve are as many as a screen shows.
void add_coverage(const RunResult& result, Json& list) {
  constexpr size_t kMost = 500;
  const std::vector<CoverageRow>& rows = result.coverage;
  if (rows.size() < 2) return;
  Json states = Json::array(), ends = Json::array(), bounds = Json::array();
  auto add = [](Json& points, uint64_t x, uint64_t y) { points.push_back(Json::array({x, y})); };
  const size_t stride = rows.size() / kMost + 1;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i % stride != 0 && i + 1 < rows.size()) continue;
    add(states, rows[i].execution, rows[i].states);
    add(ends, rows[i].execution, rows[i].terminal_states);
  }
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].bound >= 0 && (i + 1 == rows.size() || rows[i + 1].bound != rows[i].bound))
      add(bounds, static_cast<uint64_t>(rows[i].bound), rows[i].states);
  list.push_back(plot("distinct states over executions", "executions",
                      Json::array({{{"name", "states"}, {"points", states}},
                                   {{"name", "of them ends"}, {"points", ends}}})));
  if (bounds.size() > 1)
    list.push_back(plot("distinct states when a bound was done", "preemptions",
                        Json::array({{{"name", "states"}, {"points", bounds}}})));
}

Json plots(const RunResult& result) {
  Json list = Json::array();
  add_progress(result, list);
  add_coverage(result, list);
  return list;
}

// Nothing in it can end the script element that holds it.
std::string inside_script(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

void replace(std::string& text, std::string_view mark, std::string_view by) {
  text.replace(text.find(mark), mark.size(), by);
}

}  // namespace

std::string html_report(const RunResult& result, const std::string& version) {
  Json data;
  data["tool_version"] = version;
  data["run"] = run_json(result);
  data["plots"] = plots(result);
  data["findings"] = Json::array();
  for (const ReportedFinding& finding : result.findings)
    data["findings"].push_back(Page(finding).json());
  std::string page(kViewerPage);
  // The data last: it may contain anything.
  replace(page, "@TITLE@", xml_text(fmt::format("{}: {}", result.name, name(result.verdict))));
  replace(page, "@STYLE@", kViewerStyle);
  replace(page, "@SCRIPT@", kViewerScript);
  replace(page, "@DATA@", inside_script(data));
  return page;
}

}  // namespace heddle
