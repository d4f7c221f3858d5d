#include "report/text_report.h"

#include <fmt/format.h>

#include "report/narrator.h"

namespace heddle {
std::string headline(const Trace& trace, const TextStyle&) {
  Narrator narrator(trace);
  return fmt::format("{}: {}: {}\n", in_full(narrator.place_of_failure()), name(trace.failure.kind),
                     trace.failure.message);
}
std::string trace_report(const Trace& trace, const TextStyle& style) {
  std::string t = headline(trace, style);
  Narrator n(trace);
  for (auto& s : trace.steps)
    t += fmt::format("  {} {} {}\n", n.thread_label(s.action.thread), n.deed(s.action),
                     brief(n.place_of(s)));
  return t;
}
std::string short_report(const RunResult& result, const TextStyle& style) {
  std::string t;
  for (auto& f : result.findings) t += headline(f.trace, style);
  return t + fmt::format("{}: {}; {} executions\n", name(result.verdict), result.guarantee,
                         result.executions);
}
std::string text_report(const RunResult& result, const TextStyle& style) {
  std::string t;
  for (auto& f : result.findings)
    t += trace_report(f.trace, style) + "heddle replay " + f.trace_file + "\n";
  return t + fmt::format("{}: {}; {} executions\n", name(result.verdict), result.guarantee,
                         result.executions);
}
}  // namespace heddle
