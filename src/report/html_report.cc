#include "report/html_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "report/cause.h"
#include "report/evidence.h"
#include "report/fold.h"
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
    const Headline headline = headline_of(narrator_);
    json["kind"] = headline.kind;
    json["message"] = headline.message;
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
    std::vector<bool> ended(story_.threads.size());
    for (const StoryStep& step : story_.steps)
      if (step.op == Op::ThreadExit) ended[static_cast<size_t>(step.thread)] = true;
    Json list = Json::array();
    for (const StoryThread& thread : story_.threads)
      list.push_back({{"id", index(thread.id)},
                      {"name", thread.name},
                      {"ended", static_cast<bool>(ended[list.size()])}});
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

  // A row for each step, and one below it for each access in it that the finding is about.
  void add_steps(Json& json) {
    std::vector<size_t> changes, orders, preempting, marks, row_of_step;
    std::vector<int64_t> locks;
    for (size_t i = 0; i < story_.steps.size(); ++i) {
      const StoryStep& step = story_.steps[i];
      const size_t row = rows_.thread.size();
      row_of_step.push_back(row);
      std::string text = (step.marked ? "! " : "") + step.description;
      if (step.choices > 1) text += fmt::format(" ({} of {})", step.choice + 1, step.choices);
      add_row(step.thread, step.object, step.place, text);
      for (const StoryAccess& access : story_.accesses) {
        if (access.step != i) continue;
        marks.push_back(rows_.thread.size());
        add_row(access.thread, access.object, access.place, "! " + access.description);
      }
      if (step.changes) changes.push_back(row);
      if (step.preempts) preempting.push_back(row);
      for (uint32_t before : step.after) orders.insert(orders.end(), {row_of_step[before], row});
      const auto at = static_cast<int64_t>(row);
      if (step.releases != kNothing) locks.insert(locks.end(), {at, step.releases, -1});
      if (step.acquires != kNothing) locks.insert(locks.end(), {at, step.acquires, 1});
    }
    json["descriptions"] = std::move(descriptions_);
    json["steps"] = {{"thread", rows_.thread},
                     {"object", rows_.object},
                     {"place", rows_.place},
                     {"description", rows_.description},
                     {"changes", changes}};
    json["folds"] = folds(preempting);
    json["marks"] = marks;
    json["preempting"] = preempting;
    json["orders"] = orders;
    json["locks"] = locks;
  }

  // Rounds that repeat themselves, as the table of the text report has them: [first row, rows of a
  // round, how often].
  Json folds(const std::vector<size_t>& preempting) const {
    std::map<std::tuple<int32_t, int32_t, size_t, bool>, uint32_t> numbers;
    std::vector<uint32_t> keys;
    auto next = preempting.begin();
    for (size_t row = 0; row < rows_.thread.size(); ++row) {
      const bool preempts = next != preempting.end() && *next == row;
      if (preempts) ++next;
      const std::tuple key(rows_.thread[row], rows_.place[row], rows_.description[row], preempts);
      keys.push_back(numbers.try_emplace(key, numbers.size()).first->second);
    }
    Json list = Json::array();
    for (const Fold& each : fold(keys))
      if (each.times > 1) list.push_back(Json::array({each.begin, each.length, each.times}));
    return list;
  }

  void add_row(int32_t thread, int32_t object, int32_t place, const std::string& text) {
    rows_.thread.push_back(thread);
    rows_.object.push_back(object);
    rows_.place.push_back(place);
    auto [entry, is_new] = numbers_.try_emplace(text, numbers_.size());
    if (is_new) descriptions_.push_back(text);
    rows_.description.push_back(entry->second);
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
  struct Rows {
    std::vector<int32_t> thread, object, place;
    std::vector<size_t> description;
  };
  Rows rows_;
  std::map<std::string, size_t> numbers_;  // of descriptions
  Json descriptions_ = Json::array();
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
