#include "report/junit_report.h"

#include <fmt/format.h>

#include "report/cause.h"
#include "report/guarantee_text.h"
#include "report/narrator.h"
#include "report/plain_text.h"
#include "report/text_report.h"

namespace heddle {
namespace {

std::string case_of(const ReportedFinding& finding, const std::string& suite) {
  const Trace& trace = finding.trace;
  Narrator narrator(trace);
  Place place = narrator.place_of_failure();
  std::string at = place.known() ? fmt::format(" at {}", brief(place)) : "";
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}{}\" time=\"0\"", suite,
                                name(trace.failure.kind), xml_text(at));
  if (place.known())
    out += fmt::format(" file=\"{}\" line=\"{}\"", xml_text(place.file), place.line);
  const Headline headline = headline_of(narrator);
  std::string text = trace_report(trace, {});
  if (!finding.trace_file.empty())
    text += fmt::format("\nheddle replay {}\n", shell_word(finding.trace_file));
  out += fmt::format(
      ">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n", name(trace.failure.kind),
      xml_text(fmt::format("{}: {}", headline.kind, headline.message)), xml_text(text));
  if (!trace.output.empty())
    out += fmt::format("      <system-out>{}</system-out>\n", xml_text(trace.output));
  return out + "    </testcase>\n";
}

// A search that did not end is neither passed nor failed.
std::string case_of_search(const RunResult& result, const std::string& suite) {
  std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"search ({})\" time=\"{:.3f}\"", suite,
                  xml_text(result.strategy), result.seconds);
  if (result.verdict != Verdict::Unknown) return head + "/>\n";
  return head + fmt::format(">\n      <skipped message=\"undecided: {}\"/>\n    </testcase>\n",
                            xml_text(why_undecided(result)));
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_text(value));
}

}  // namespace

std::string junit_report(const RunResult& result) {
  size_t failures = result.findings.size();
  std::string suite = xml_text(result.name);
  std::string counts = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"", failures + 1,
      failures, result.verdict == Verdict::Unknown ? 1 : 0, result.seconds);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites name=\"heddle\" {}>\n  <testsuite name=\"{}\" {}>\n", counts,
                     suite, counts);
  out += "    <properties>\n";
  out += property("verdict", name(result.verdict)) + property("guarantee", result.guarantee) +
         property("end_reason", result.end_reason) +
         property("executions", std::to_string(result.executions));
  out += "    </properties>\n" + case_of_search(result, suite);
  for (const ReportedFinding& finding : result.findings) out += case_of(finding, suite);
  if (!result.notes.empty()) {
    out += "    <system-err>";
    for (const std::string& note : result.notes) out += xml_text(note) + '\n';
    out += "</system-err>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace heddle
