#include "report/dot_report.h"

#include <fmt/format.h>

#include <map>

#include "report/cause.h"
#include "report/plain_text.h"
#include "report/story.h"

namespace heddle {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : valid_utf8(text)) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::string at(const Story& story, int32_t place) {
  return place == kNothing ? "" : '\n' + brief(story.places[static_cast<size_t>(place)]);
}

std::string nodes_of(const Story& story, int32_t thread) {
  std::string out;
  for (size_t i = 0; i < story.steps.size(); ++i) {
    const StoryStep& step = story.steps[i];
    if (step.thread != thread) continue;
    std::string label = fmt::format("{}. {}{}", i + 1, step.description, at(story, step.place));
    out += fmt::format("    s{} [label={}{}];\n", i + 1, quoted(label),
                       step.preempts ? ", color=\"#c2410c\", penwidth=2" : "");
  }
  for (const StoryEnd& end : story.ends) {
    if (end.thread != thread) continue;
    std::string label =
        (end.enabled ? "next: " : "blocked: ") + end.description + at(story, end.place);
    out += fmt::format("    e{} [label={}, style=\"rounded,dashed\"{}];\n", end.thread,
                       quoted(label), end.enabled ? "" : ", color=\"#b91c1c\"");
  }
  return out;
}

std::string edges(const Story& story) {
  std::string out;
  std::map<int32_t, size_t> last;
  for (size_t i = 0; i < story.steps.size(); ++i) {
    const StoryStep& step = story.steps[i];
    if (auto before = last.find(step.thread); before != last.end())
      out += fmt::format("  s{} -> s{};\n", before->second + 1, i + 1);
    last[step.thread] = i;
    for (uint32_t other : step.after)
      out += fmt::format("  s{} -> s{} [color=\"#1d4ed8\", constraint=true];\n", other + 1, i + 1);
  }
  for (const StoryEnd& end : story.ends) {
    if (auto before = last.find(end.thread); before != last.end())
      out += fmt::format("  s{} -> e{} [style=dashed];\n", before->second + 1, end.thread);
    for (const StoryEnd& other : story.ends)
      if (end.waits_for == other.thread && end.waits_for != kNothing)
        out += fmt::format(
            "  e{} -> e{} [color=\"#b91c1c\", style=dashed, constraint=false, label=\"waits\"];\n",
            end.thread, other.thread);
  }
  return out;
}

std::string graph(const Trace& trace, size_t number) {
  Narrator narrator(trace);
  Story story = tell(narrator);
  const Headline headline = headline_of(narrator);
  std::string title = fmt::format("{}: {}", headline.kind, headline.message);
  std::string out = fmt::format(
      "digraph finding_{} {{\n  label={};\n  labelloc=t;\n  fontname=\"sans-serif\";\n"
      "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=10];\n",
      number, quoted(title));
  for (size_t i = 0; i < story.threads.size(); ++i) {
    std::string nodes = nodes_of(story, static_cast<int32_t>(i));
    if (nodes.empty()) continue;
    out += fmt::format("  subgraph cluster_{} {{\n    label={};\n{}  }}\n", i,
                       quoted(narrator.thread_label(story.threads[i].id)), nodes);
  }
  return out + edges(story) + "}\n";
}

}  // namespace

std::string dot_report(const RunResult& result) {
  std::string out;
  for (size_t i = 0; i < result.findings.size(); ++i) out += graph(result.findings[i].trace, i + 1);
  if (out.empty()) return "digraph no_finding {\n}\n";
  return out;
}

}  // namespace heddle
