#include "report/text_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "report/cause.h"
#include "report/evidence.h"
#include "report/excerpt.h"
#include "report/guarantee_text.h"
#include "report/narrator.h"
#include "report/step_table.h"
#include "report/waiting.h"

namespace heddle {
namespace {

std::string title(std::string_view text, const TextStyle& style) {
  return '\n' + painted(text, Paint::Strong, style) + '\n';
}

std::string where_it_shows(Narrator& narrator) {
  std::string where = in_full(narrator.place_of_failure());
  if (!where.empty()) return where;
  return std::filesystem::path(narrator.trace().program).filename().string();
}

std::string headline(Narrator& narrator, const TextStyle& style) {
  const Headline line = headline_of(narrator);
  return fmt::format("{} {} {}\n", painted(where_it_shows(narrator) + ':', Paint::Strong, style),
                     painted(line.kind + ':', Paint::Bad, style),
                     painted(line.message, Paint::Strong, style));
}

std::string cause_section(Narrator& narrator, const TextStyle& style) {
  Cause cause = cause_of(narrator);
  if (cause.kind.empty()) return "";
  return fmt::format("\n{} {}\n", painted(cause.kind + ':', Paint::Notice, style), in_words(cause));
}

std::string origin(Narrator& narrator, const TraceThread& thread) {
  if (thread.parent == kNoThread) return "";
  std::string text = fmt::format(", created by thread {}", index(thread.parent));
  std::string place = brief(narrator.birthplace(thread.id));
  return place.empty() ? text : fmt::format("{} at {}", text, place);
}

std::string thread_list(Narrator& narrator, const TextStyle& style) {
  constexpr size_t kMost = 32;
  const std::vector<TraceThread>& threads = narrator.trace().threads;
  if (threads.empty()) return "";
  std::string out = title("threads:", style);
  for (size_t i = 0; i < threads.size() && i < kMost; ++i)
    out +=
        fmt::format("  {}{}\n", narrator.thread_label(threads[i].id), origin(narrator, threads[i]));
  if (threads.size() > kMost) out += fmt::format("  … and {} more\n", threads.size() - kMost);
  return out;
}

// Of the accesses that the failure is about, what they are to be looked at for.
std::string_view meaning_of_mark(const Trace& trace) {
  for (const TraceEvidence& evidence : trace.evidence) {
    if (evidence.step == 0) continue;
    if (info(evidence.role).is_access && trace.failure.kind == FindingKind::DataRace)
      return "! nothing orders these accesses";
    if (evidence.role == EvidenceRole::Freed || info(evidence.role).is_bad)
      return "! what happens to the memory";
  }
  return "";
}

std::string steps_section(Narrator& narrator, const TextStyle& style) {
  const Trace& trace = narrator.trace();
  if (trace.steps.empty())
    return trace.schedule.empty()
               ? ""
               : title("schedule:", style) +
                     fmt::format("  {}\n", cut_to(to_string(trace.schedule), 2000));
  std::vector<std::string_view> signs;
  if (trace.preemptions > 0) signs.emplace_back("* preempts the thread before");
  if (const std::string_view sign = meaning_of_mark(trace); !sign.empty()) signs.push_back(sign);
  const std::string legend =
      signs.empty() ? "steps:" : fmt::format("steps ({}):", fmt::join(signs, ", "));
  return title(legend, style) + step_table(narrator, style);
}

std::string stack_section(Narrator& narrator, const TextStyle& style) {
  constexpr size_t kMost = 40;
  std::vector<SourceFrame> frames = narrator.failure_stack();
  if (frames.empty() || narrator.trace().failure_stack.empty()) return "";
  std::string whose = narrator.trace().failure.thread == kNoThread
                          ? ""
                          : " of " + narrator.thread_label(narrator.trace().failure.thread);
  return title(fmt::format("stack{}:", whose), style) + stack_lines(frames, kMost, style);
}

std::string object_section(const Narrator& narrator, const TextStyle& style) {
  if (narrator.named_objects().empty()) return "";
  std::string out = title("objects:", style);
  for (const Narrator::NamedObject& object : narrator.named_objects())
    out += fmt::format("  {}: {}\n", object.name, object.where);
  return out;
}

std::string output_section(const Trace& trace, const TextStyle& style) {
  if (trace.output.empty()) return "";
  std::string out = title("the program's output:", style);
  std::string_view rest = trace.output;
  while (!rest.empty()) {
    size_t newline = rest.find('\n');
    out.append("  | ").append(rest.substr(0, newline)).append("\n");
    rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
  }
  return out;
}

std::string closing(const ReportedFinding& finding, const TextStyle& style) {
  const Trace& trace = finding.trace;
  std::string out = fmt::format("\nfewest preemptions found: {}", trace.preemptions);
  if (trace.execution > 0) out += fmt::format(" (execution {}", grouped(trace.execution));
  if (trace.execution > 0 && trace.occurrences > 1)
    out += fmt::format("; {} executions end like this", grouped(trace.occurrences));
  out += trace.execution > 0 ? ")\n" : "\n";
  if (trace.cut_short)
    out += "there was no time to make this execution simpler; give more with --minimise=SECONDS\n";
  if (!finding.trace_file.empty())
    out += painted(fmt::format("heddle replay {}", file_word(finding.trace_file)), Paint::Strong,
                   style) +
           '\n';
  return out;
}

std::string verdict_line(const RunResult& result, const TextStyle& style) {
  switch (result.verdict) {
    case Verdict::Pass:
      return painted("pass:", Paint::Good, style) + " nothing found";
    case Verdict::Fail:
      return painted("fail:", Paint::Bad, style) + ' ' + counted(result.findings.size(), "bug") +
             " found";
    case Verdict::Unknown:
      break;
  }
  const std::string unknown = painted("unknown:", Paint::Notice, style);
  return fmt::format("{} {}", unknown, why_undecided(result));
}

// How many executions a search that was cut short would have needed, if that is known well.
std::string of_how_many(const RunResult& result) {
  const bool known = result.estimate_error > 0 && result.estimate > result.executions;
  if (result.verdict != Verdict::Unknown || !known) return "";
  return fmt::format(" of about {} ({})", about(result.estimate),
                     plus_minus(result.estimate_error));
}

std::string summary(const RunResult& result, const TextStyle& style) {
  std::string out = verdict_line(result, style) + '\n';
  const bool nothing_yet = result.stopped_at_bug && result.facts.scope.empty();
  if (!result.guarantee.empty() && !nothing_yet)
    out += fmt::format("guarantee: {}\n", result.guarantee);
  if (result.stopped_at_bug)
    out += result.findings.size() > 1 ? "stopped there; --keep-going searches on\n"
                                      : "stopped at the first bug; --keep-going searches on\n";
  out += fmt::format("{}{} ({}), {}, {:.2f} s", counted(result.executions, "execution"),
                     of_how_many(result), result.strategy, counted(result.events, "event"),
                     result.seconds);
  if (result.dismissed > 0)
    out += fmt::format("; {} broke an assumption", counted(result.dismissed, "execution"));
  if (result.verdict == Verdict::Fail && !result.stopped_at_bug)
    out += fmt::format("; ended by: {}", result.end_reason);
  out += '\n';
  for (const std::string& note : result.notes) out += fmt::format("note: {}\n", note);
  return out;
}

// After several reports, what they were about.
std::string list_of_findings(const RunResult& result, const TextStyle& style) {
  if (result.findings.size() < 2) return "";
  std::string out = painted("all of them in short:", Paint::Strong, style) + '\n';
  for (const ReportedFinding& finding : result.findings) {
    Narrator narrator(finding.trace);
    const Headline line = headline_of(narrator);
    out += fmt::format("  {:>2}. {}: {}: {}\n", finding.number, where_it_shows(narrator),
                       painted(line.kind, Paint::Bad, style), line.message);
  }
  return out + '\n';
}

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,:@%=";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + '\'';
}

std::string file_word(const std::string& path) {
  return shell_word(path.starts_with('-') ? "./" + path : path);
}

std::string trace_report(const Trace& trace, const TextStyle& style) {
  Narrator narrator(trace);
  std::string out = headline(narrator, style);
  out += source_excerpt(narrator.place_of_failure(), style);
  if (trace.failure.kind == FindingKind::Deadlock || trace.failure.kind == FindingKind::LostWakeup)
    out += '\n' + wrapped(waiting_report(narrator, style), style);
  out += wrapped(loop_report(narrator, style), style);
  out += wrapped(cause_section(narrator, style), style);
  out += wrapped(thread_list(narrator, style), style);
  out += steps_section(narrator, style);
  out += object_section(narrator, style);
  out += trace.failure.kind == FindingKind::DataRace ? "" : stack_section(narrator, style);
  out += evidence_report(narrator, style);
  return out + output_section(trace, style);
}

std::string text_report(const RunResult& result, const TextStyle& style) {
  std::string out;
  for (const ReportedFinding& finding : result.findings)
    out += trace_report(finding.trace, style) + closing(finding, style) + '\n';
  return out + list_of_findings(result, style) + summary(result, style);
}

std::string short_report(const RunResult& result, const TextStyle& style) {
  std::string out;
  for (const ReportedFinding& finding : result.findings) {
    Narrator narrator(finding.trace);
    out += headline(narrator, style);
    if (!finding.trace_file.empty())
      out += fmt::format("  heddle replay {}\n", file_word(finding.trace_file));
  }
  return out + summary(result, style);
}

}  // namespace heddle
