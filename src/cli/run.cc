#include "cli/run.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "cli/channel_file.h"
#include "cli/clock.h"
#include "cli/coverage_file.h"
#include "cli/exit_status.h"
#include "cli/findings.h"
#include "cli/locked_instructions.h"
#include "cli/machine_memory.h"
#include "cli/output_file.h"
#include "cli/suppressions.h"
#include "cli/terminal.h"
#include "cli/unseen_accesses.h"
#include "cli/workers.h"
#include "report/guarantee_text.h"
#include "report/merge_findings.h"
#include "report/narrator.h"
#include "report/text_report.h"
#include "report/text_style.h"

namespace heddle {
namespace {

// Text in memory that the tested program could have damaged.
template <size_t kSize>
std::string text_of(const char (&field)[kSize]) {
  return std::string(field, strnlen(field, kSize));
}

StopReason stop_reason(const ChannelHeader& header) {
  return header.explored == 1 ? header.ended_by : header.stop.load();
}

std::string end_reason(const Supervision& supervision, const ChannelHeader& header) {
  if (supervision.outcome == Outcome::KeptDying) return "the process kept dying";
  if (supervision.outcome == Outcome::CutShort && supervision.reason == RunState::Computes)
    return "a thread computes for long";
  if (supervision.outcome == Outcome::CutShort)
    return supervision.reason == RunState::Unseen ? "a thread waits for something unseen"
                                                  : "the program cannot be checked further";
  switch (stop_reason(header)) {
    case StopReason::Interrupted:
      return "interrupted";
    case StopReason::TimeLimit:
      return "time limit";
    case StopReason::ExecutionLimit:
      return "execution limit";
    case StopReason::StepLimit:
      return "executions without end within --max-steps";
    case StopReason::FirstFinding:
      return "first finding";
    case StopReason::KilledFromOutside:
      return "killed from outside";
    case StopReason::MemoryLimit:
      return "memory limit";
    case StopReason::None:
      break;
  }
  if (header.vacuous != 0) return "every execution broke an assumption";
  return "exhausted";
}

constexpr const char* kEndlessStart = "its global constructors came to no end";

// Why the search could not go on.
std::string sentence_of_refusal(const Supervision& supervision, const Program& program) {
  const std::string& message = supervision.message;
  const std::string place =
      place_of_call(program.path, program.load_bias, Address{supervision.message_pc});
  switch (supervision.reason) {
    case RunState::Unsupported:
      return fmt::format(
          "{}the program calls {}, which Heddle does not control yet, so it cannot be checked",
          place.empty() ? "" : place + ": ", message);
    case RunState::Computes:
      return fmt::format(
          "{} computes for long without a visible action{}: a loop that ends later, or never "
          "(--watchdog)",
          message, place.empty() ? "" : " at " + place);
    case RunState::Unseen:
      return fmt::format(
          "cannot see what {} waits for{}: it may be another process, the network, or code that "
          "was not compiled for Heddle",
          message, place.empty() ? "" : " at " + place);
    default:
      return message.empty() ? "the runtime refused to run the program" : message;
  }
}

void add_notes(const Supervision& supervision, const ChannelHeader& header, const Program& program,
               std::vector<std::string>& notes) {
  if (supervision.outcome == Outcome::KeptDying)
    notes.push_back(fmt::format(
        "the process died {} times, at last without getting any further ({}); the search was "
        "given up",
        supervision.deaths, describe_status(supervision.last_status)));
  else if (supervision.deaths > 0 && header.stop != StopReason::KilledFromOutside)
    notes.push_back(fmt::format("the process died {} time{} and was started again",
                                supervision.deaths, supervision.deaths == 1 ? "" : "s"));
  if (header.stop == StopReason::KilledFromOutside)
    notes.push_back(fmt::format(
        "the process was killed from outside ({}): repeated, the same execution does not die",
        supervision.last_death != 0 ? describe_status(supervision.last_death) : "a child of it"));
  if (supervision.outcome == Outcome::CutShort)
    notes.push_back(sentence_of_refusal(supervision, program));
  const std::string loop =
      place_of_call(program.path, program.load_bias, Address{header.cut_off_pc});
  if (header.steps_left_out != 0 && !loop.empty())
    notes.push_back(fmt::format(
        "an execution came to no end within {} steps, at {}: a loop that changes something in each "
        "round, or one that ends later (--max-steps)",
        header.options.max_steps, loop));
  const bool memory = stop_reason(header) == StopReason::MemoryLimit;
  if (memory)
    notes.push_back(
        fmt::format("the search took more memory than it may, {} MB; --memory-limit=SIZE gives it "
                    "another limit",
                    grouped(header.memory_limit >> 20)));
  if (supervision.outcome == Outcome::Killed && !memory)
    notes.push_back("the program did not stop when asked to and was killed");
}

// The runtime waits for the answer: does the race that it asks about count?
void answer_questions(ChannelFile& channel, const Suppressions& suppressions,
                      const Program& program, const Target& target, const RunOptions& options) {
  ChannelHeader& header = channel.header();
  uint64_t asked = header.questions;
  if (header.answers == asked) return;
  bool covered = false;
  if (std::optional<Trace> trace = last_question(channel.records())) {
    identify(*trace, program, target, options);
    covered = suppressions.covers(*trace);
  }
  header.suppressed = covered ? 1 : 0;
  header.answers = asked;
}

std::vector<std::string> own_libraries(const ChannelHeader& header) {
  std::vector<std::string> paths;
  const uint32_t count = std::min(header.libraries.count, ChannelLibraries::kMost);
  for (uint32_t i = 0; i < count; ++i) paths.push_back(text_of(header.libraries.path[i]));
  return paths;
}

Verdict judge(const RunResult& result, const Supervision& supervision, const ChannelHeader& header,
              size_t suppressed) {
  if (!result.findings.empty()) return Verdict::Fail;
  // With --entry a function that Heddle compiled is explored, whatever stands around it.
  if (result.facts.has(Caveat::AtomicInstructions) && header.options.entry == 0)
    return Verdict::Unknown;
  bool covered =
      supervision.outcome == Outcome::Finished && header.complete == 1 && header.vacuous == 0;
  return covered && header.progress.findings <= suppressed && supervision.deaths == 0
             ? Verdict::Pass
             : Verdict::Unknown;
}

Guarantee guarantee_of(const ChannelHeader& header, const Program& program) {
  Guarantee guarantee;
  guarantee.scope = text_of(header.guarantee);
  guarantee.complete = header.complete == 1;
  guarantee.options = header.options;
  const RunOptions& options = header.options;
  const bool alone = header.most_threads <= 1;
  const bool sync_only = options.visible == Visible::Sync && options.races == Races::Off;
  const std::pair<Caveat, bool> facts[] = {
      {Caveat::CallsOnly, !program.instrumented && !alone},
      {Caveat::SyncOnly, program.instrumented && sync_only && !alone},
      {Caveat::AssumptionsBroken, header.vacuous != 0},
      {Caveat::StepLimit, header.steps_left_out != 0},
      {Caveat::CountingLoops, header.loops_assumed != 0},
      {Caveat::LongLoops, header.loops_abbreviated != 0},
      {Caveat::Timeouts, header.timeouts_held_back != 0},
      {Caveat::SpuriousWakeups, header.spurious_left_out != 0},
      {Caveat::FreedMemory, header.frees_unordered != 0},
      {Caveat::UnreadMemory, options.equivalence == Equivalence::ReadsFrom && options.leaks &&
                                 program.instrumented && !alone},
      {Caveat::RaceRoom, header.races_out_of_room != 0},
      {Caveat::ThreadLimit, header.threads_left_out != 0},
      {Caveat::IgnoredKinds, options.ignored != 0},
  };
  for (const auto& [caveat, holds] : facts)
    if (holds) guarantee.add(caveat);
  return guarantee;
}

void copy_counters(const ChannelHeader& header, const Supervision& supervision, RunResult& result) {
  result.end_reason = end_reason(supervision, header);
  result.stopped_at_bug =
      supervision.outcome == Outcome::Finished && stop_reason(header) == StopReason::FirstFinding;
  result.strategy = text_of(header.options.strategy);
  result.bound = header.progress.bound;
  result.executions = header.progress.executions;
  result.failing_executions = header.progress.failing_executions;
  result.blocked = header.progress.blocked;
  result.dismissed = header.progress.dismissed;
  result.vacuous = header.vacuous != 0;
  result.redundant = header.progress.redundant;
  result.events = header.progress.events;
  result.longest = header.progress.longest;
  result.estimate = header.progress.estimate;
  result.estimate_error = header.progress.estimate_error;
  result.deaths = supervision.deaths;
  result.seconds = supervision.seconds;
  result.cpu_seconds = supervision.cpu_seconds;
}

bool is_a_limit(StopReason reason) {
  return reason == StopReason::Interrupted || reason == StopReason::TimeLimit ||
         reason == StopReason::MemoryLimit || reason == StopReason::KilledFromOutside;
}

// What the session has to know in the end; and what the user has to, if this is not the end.
Result<bool> keep_in(Session& session, const Supervision& supervision, const ChannelHeader& header,
                     RunResult& result) {
  const bool by_itself =
      (supervision.outcome == Outcome::Finished || supervision.outcome == Outcome::KeptDying) &&
      !is_a_limit(stop_reason(header));
  if (by_itself || !result.findings.empty())
    return session.end({std::string(name(result.verdict)), result.end_reason, result.executions});
  const bool from_here = session.phase() == SessionPhase::Shared;
  result.notes.push_back(fmt::format(
      "heddle resume {} {}", file_word(session.file()),
      from_here ? "goes on from here" : "makes this search again: nothing of it is kept"));
  return true;
}

// Where nothing is said, three quarters of what there is.
uint64_t memory_limit(const CheckOptions& options) {
  if (options.memory_limit != 0) return options.memory_limit;
  const uint64_t there_is = machine_memory();
  return there_is == 0 ? kMostMemory : std::min(there_is / 4 * 3, kMostMemory);
}

}  // namespace

std::string describe_status(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

Error refusal(const Supervision& supervision, const ChannelHeader& header, const Program& program) {
  if (supervision.outcome == Outcome::NeverStarted)
    return Error{fmt::format(
        "{} ended before Heddle's runtime could start in it ({}); does it run without Heddle?",
        program.path,
        header.message[0] != '\0' ? kEndlessStart : describe_status(supervision.last_status))};
  return Error{sentence_of_refusal(supervision, program), header.limitation};
}

Result<RunResult> explore(const Program& program, const Target& target, const CheckOptions& options,
                          Session* session) {
  RunResult result;
  result.program = program.path;
  result.name = program.name;
  if (!switch_randomisation_off())
    result.notes.push_back(
        "this system does not allow address randomisation to be switched off; replays may differ");
  std::optional<OutputFile> coverage;
  if (!options.coverage_file.empty()) {
    Result<OutputFile> file = OutputFile::open(options.coverage_file);
    if (!file) return file.error();
    coverage.emplace(std::move(*file));
  }
  Result<std::vector<ChannelProperty>> properties =
      resolve_properties(target.properties, program.path);
  if (!properties) return properties.error();
  std::optional<ChannelFile> channel;
  const auto open_channel = [&]() -> Result<bool> {
    Result<ChannelFile> file = ChannelFile::create(options.run, "");
    if (!file) return file.error();
    channel.emplace(std::move(*file));
    put_properties(*properties, channel->header());
    channel->header().options.void_main = program.void_main;
    channel->header().instrumented = program.instrumented ? 1 : 0;
    return true;
  };
  if (Result<bool> opened = open_channel(); !opened) return opened.error();

  Result<Suppressions> suppressions =
      options.suppressions.empty() ? Suppressions() : Suppressions::read(options.suppressions);
  if (!suppressions) return suppressions.error();
  double began = now_seconds();
  SupervisorOptions watch{options.time_limit, options.watchdog, memory_limit(options),
                          stderr_is_terminal() && !options.output.quiet};
  const SessionPhase phase = session == nullptr ? SessionPhase::Begun : session->phase();
  bool divides = options.processes > 1 || session != nullptr;
  if (phase == SessionPhase::Alone) divides = false;
  if (divides && !can_be_divided(options.run, options.run.judges_races)) {
    divides = false;
    result.notes.push_back(fmt::format("{} with these options searches in one process, not {}",
                                       text_of(options.run.strategy), options.processes));
  }
  watch.between = [&] {
    answer_questions(*channel, *suppressions, program, target, options.run);
    const double alone_for = session == nullptr ? now_seconds() - began : kYear;
    if (divides) ask_to_divide(channel->header(), options.processes, alone_for);
  };
  Result<Supervision> supervision =
      phase == SessionPhase::Shared ? Supervision{} : supervise(target, *channel, watch);
  if (!supervision) return supervision.error();
  if (phase == SessionPhase::Shared || channel->header().divided != 0) {
    Result<SharedEnd> end =
        share_search(target, *channel, options.processes, watch, session, *supervision);
    if (!end) return end.error();
    if (*end == SharedEnd::OneProcess) {
      divides = false;
      if (session != nullptr)
        if (Result<bool> written = session->go_alone(); !written) return written.error();
      if (Result<bool> opened = open_channel(); !opened) return opened.error();
      constexpr double kLeast = 0.001;
      if (watch.time_limit > 0)
        watch.time_limit = std::max(kLeast, options.time_limit - (now_seconds() - began));
      supervision = supervise(target, *channel, watch);
      if (!supervision) return supervision.error();
    }
  }
  const ChannelHeader& header = channel->header();
  if (supervision->outcome == Outcome::Refused || supervision->outcome == Outcome::NeverStarted)
    return refusal(*supervision, header, program);

  copy_counters(header, *supervision, result);
  result.facts = guarantee_of(header, program);
  add_uncontrolled_code(program, own_libraries(header), header.most_threads > 1, result);
  add_unseen_accesses(program, header.most_threads > 1, result);
  result.guarantee = in_words(result.facts);
  if (header.first_execution_ns != 0)
    result.startup_seconds = 1e-9 * static_cast<double>(header.first_execution_ns) - began;
  result.progress = std::move(supervision->history);
  add_notes(*supervision, header, program, result.notes);
  if (header.races_out_of_room != 0)
    result.notes.push_back(
        "an execution has more memory, synchronisation objects, annotations or races than race "
        "detection has room for; from that point on its races may have been missed");
  if (header.blocked_at_exit != 0)
    result.notes.push_back(
        "threads were still blocked when the program ended, and nobody was left to wake them; in a "
        "program that Heddle did not compile that is no bug");
  if (header.leaked_blocks != 0)
    result.notes.push_back(fmt::format(
        "nothing refers to {} bytes in {} blocks when the program ends; in a program that Heddle "
        "did not compile that is no bug",
        header.leaked_bytes, header.leaked_blocks));
  size_t suppressed = header.progress.suppressed_findings;
  std::vector<Trace> traces = collect_findings(channel->records(), result.notes);
  for (Trace& trace : traces) identify(trace, program, target, options.run);
  suppressed +=
      std::erase_if(traces, [&](const Trace& trace) { return suppressions->covers(trace); });
  merge_findings(traces);
  for (Trace& trace : traces) {
    const size_t number = result.findings.size() + 1;
    std::string file = write_trace(trace, options.trace_directory, program.name, number, result);
    result.findings.push_back({number, std::move(trace), std::move(file)});
  }
  if (coverage) {
    const CoverageLog& log = channel->coverage();
    for (size_t i = 0; i < log.size(); ++i) result.coverage.push_back(log.row(i));
    if (Result<bool> written = coverage->write(coverage_text(log)); !written)
      result.lost = written.error().message;
  }
  if (suppressed > 0)
    result.notes.push_back(fmt::format("{} finding{} suppressed by {}", suppressed,
                                       suppressed == 1 ? " was" : "s were", options.suppressions));
  result.verdict = judge(result, *supervision, header, suppressed);
  if (session != nullptr)
    if (Result<bool> kept = keep_in(*session, *supervision, header, result); !kept)
      return kept.error();
  return result;
}

int exit_status(Verdict verdict) {
  if (verdict == Verdict::Pass) return kExitPass;
  return verdict == Verdict::Fail ? kExitFail : kExitUnknown;
}

}  // namespace heddle
