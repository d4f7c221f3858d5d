// heddle replay: run the schedule of a trace again, check every step, show what happens.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>

#include "cli/channel_file.h"
#include "cli/commands.h"
#include "cli/debugger.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "cli/findings.h"
#include "cli/library.h"
#include "cli/outputs.h"
#include "cli/program.h"
#include "cli/run.h"
#include "cli/seal.h"
#include "cli/standard_output.h"
#include "cli/supervisor.h"
#include "cli/terminal.h"
#include "cli/trace_request.h"
#include "report/moved_objects.h"
#include "report/narrator.h"
#include "report/text_report.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle replay TRACE [--gdb [-- WORDS]] [--trust] [--program=FILE] "
    "[--watchdog=SECONDS]\n"
    "                     [options]\n\n"
    "Runs the program of a trace file once more under the recorded schedule, compares every step\n"
    "with the recording and prints what happened.\n\n"
    "Only what was checked here is run: a trace that was written elsewhere, or whose program has "
    "been\n"
    "built anew since, needs --trust. The actions of a program that was built anew are matched "
    "with\n"
    "the recorded ones as well as they can be.\n\n";
constexpr const char* kStatus =
    "\nexit status: 1 the bug showed again, 3 the program went another way or the bug did not "
    "show,\n"
    "2 an error of usage or environment\n";

Result<Program> program_of(const Trace& trace, const TraceRequest& request) {
  if (!request.program.empty()) return inspect_program(request.program);
  if (trace.program.empty())
    return Error{fmt::format("{} does not say which program it belongs to", request.trace_file)};
  return inspect_program(trace.program);
}

// Why the program should not be started just because a trace says so; "" if nothing is wrong.
std::string distrust(const Trace& trace, const Program& program, const std::string& file) {
  constexpr const char* kAllTheSame = "it was not run; --trust runs it all the same";
  if (!is_sealed(trace))
    return fmt::format(
        "{} was not written by this user's heddle check, and could name any program ({}); {}", file,
        trace.program, kAllTheSame);
  if (program.path != trace.program)
    return fmt::format("{} is about {}, not {}; {}", file, trace.program, program.path,
                       kAllTheSame);
  if (program.identity != trace.build_id)
    return fmt::format("{} has changed since {} was recorded; {}", program.path, file, kAllTheSame);
  return "";
}

// The process was to die of the last step, in the same way.
bool died_likewise(const Trace& recorded, const Supervision& supervision, uint64_t steps) {
  if (recorded.failure.kind != FindingKind::Death || supervision.outcome != Outcome::Died)
    return false;
  return steps == recorded.schedule.size() &&
         recorded.failure.wait_status.value_or(supervision.last_status) == supervision.last_status;
}

// The same bug at the same place, in a program that has not been edited since.
bool same_failure(const Trace& recorded, const Trace& now) {
  const Failure &then = recorded.failure, &failure = now.failure;
  if (failure.kind != then.kind) return false;
  if (same_bug(then, failure)) return true;
  // Where in its loop a thread was interrupted is chance.
  if (then.kind == FindingKind::Livelock && then.knot == 0)
    return failure.knot == 0 && failure.thread == then.thread &&
           now.steps.size() == recorded.schedule.size();
  // Addresses may differ, where they are randomised.
  return in_full(Narrator(recorded).place_of_failure()) ==
             in_full(Narrator(now).place_of_failure()) &&
         then.message == failure.message;
}

struct Replay {
  Trace trace;
  bool reproduced = false;
  std::string summary;
};

Replay compare(const Trace& recorded, Trace now, const Supervision& supervision, uint64_t steps) {
  Replay replay{std::move(now), false, ""};
  Failure& failure = replay.trace.failure;
  bool died = supervision.outcome == Outcome::Died;
  bool failed = !died && !failure.message.empty();
  bool edited = !replay.trace.resync.empty();
  if (failed && edited && failure.kind == FindingKind::Nondeterminism) {
    replay.summary = fmt::format("the {} does not show any more", name(recorded.failure.kind));
  } else if (failed && failure.kind == FindingKind::Nondeterminism) {
    replay.reproduced = recorded.failure.kind == FindingKind::Nondeterminism;
    replay.summary = fmt::format("the program went another way: {}", failure.message);
  } else if (failed ? (edited ? failure.kind == recorded.failure.kind
                              : same_failure(recorded, replay.trace))
                    : died_likewise(recorded, supervision, steps)) {
    replay.reproduced = true;
    replay.summary = fmt::format("the {} showed again", name(recorded.failure.kind));
    if (!failed) failure = recorded.failure;
  } else if (died) {
    replay.summary =
        fmt::format("the recorded {} did not show, but the process died ({}) in step {}",
                    name(recorded.failure.kind), describe_status(supervision.last_status), steps);
  } else if (failed) {
    replay.summary =
        fmt::format("the recorded {} did not show, but {} {} did: {}", name(recorded.failure.kind),
                    failure.kind == recorded.failure.kind ? "another" : "a", name(failure.kind),
                    failure.message);
  } else {
    replay.summary = fmt::format("all steps were as recorded, but the {} did not show again",
                                 name(recorded.failure.kind));
  }
  if (!replay.trace.resync.empty())
    replay.summary += fmt::format("; {}", Narrator(replay.trace).named(replay.trace.resync));
  return replay;
}

void print_report(const Replay& replay, const Trace& recorded, bool full) {
  TextStyle style = style_of_stdout();
  style.full = full;
  if (replay.trace.steps.empty() && replay.trace.failure.message.empty())
    print_text(trace_report(recorded, style));
  else
    print_text(trace_report(replay.trace, style));
  Paint paint = replay.reproduced ? Paint::Bad : Paint::Notice;
  print_output("\n{} {}\n", painted("replay:", paint, style), replay.summary);
}

RunResult result_of(const Replay& replay, const Trace& recorded, const Supervision& supervision,
                    const std::string& file) {
  RunResult result;
  result.name = std::filesystem::path(recorded.program).filename().string();
  result.verdict = replay.reproduced ? Verdict::Fail : Verdict::Unknown;
  result.end_reason = replay.reproduced ? "reproduced" : "not reproduced";
  result.program = recorded.program;
  result.strategy = "replay";
  result.executions = 1;
  result.events = replay.trace.steps.size();
  result.longest = result.events;
  result.seconds = supervision.seconds;
  result.cpu_seconds = supervision.cpu_seconds;
  result.notes = {replay.summary};
  if (!replay.trace.failure.message.empty()) result.findings.push_back({1, replay.trace, file});
  return result;
}

Result<int> replay_and_report(const TraceRequest& request, const Trace& recorded,
                              const Program& program, const Target& target, ChannelFile& channel) {
  Result<OpenOutputs> outputs =
      OpenOutputs::open(request.output, std::filesystem::path(recorded.program).filename().string(),
                        {request.trace_file, program.path});
  if (!outputs) return outputs.error();
  SupervisorOptions watch;
  watch.restart = false;
  watch.watchdog = request.watchdog;
  Result<Supervision> supervision = supervise(target, channel, watch);
  if (!supervision) return supervision.error();
  if (supervision->outcome == Outcome::Refused || supervision->outcome == Outcome::CutShort ||
      supervision->outcome == Outcome::NeverStarted)
    return refusal(*supervision, channel.header(), program);

  std::vector<std::string> notes;
  std::vector<Trace> answers = collect_findings(channel.records(), notes);
  Trace answer = answers.empty() ? Trace{} : std::move(answers.front());
  identify(answer, program, target, channel.header().options);
  Replay replay =
      compare(recorded, std::move(answer), *supervision, channel.header().progress.events);
  std::string complaint;
  if (!request.output.outputs.empty()) {
    RunResult result = result_of(replay, recorded, *supervision, request.trace_file);
    const OpenOutputs::Delivery delivery = outputs->deliver(result);
    if (outputs->speaks()) print_text(delivery.text);
    complaint = delivery.complaint;
  }
  if (!outputs->speaks()) print_report(replay, recorded, request.output.full);
  if (!complaint.empty()) return Error{complaint};
  return replay.reproduced ? kExitFail : kExitUnknown;
}

// One execution, so that nothing has to be renewed.
Error debug(const Target& target, ChannelFile& channel, const std::vector<std::string>& words) {
  if (!target.scratch.empty()) {
    ChannelScratch& notes = channel.header().scratch;
    if (int cause = enter_scratch(target.scratch, target.scratch_place, notes); cause != 0)
      return Error{scratch_complaint(target.scratch, cause)};
    notes.count = 0;
  }
  return replace_by_debugger(target, channel.fd(), words);
}

}  // namespace

Result<int> replay_command(Words words) {
  Result<TraceRequest> request = parse_trace_request(words, "replay", Gdb::Allowed);
  if (!request) return request.error();
  if (request->help) {
    print_output("{}{}{}", kHelp, trace_options_help(Gdb::Allowed), kStatus);
    return kExitPass;
  }
  Result<Trace> recorded = read_trace(request->trace_file);
  if (!recorded) return recorded.error();
  Result<Program> program = program_of(*recorded, *request);
  if (!program) return program.error();
  if (std::string complaint = distrust(*recorded, *program, request->trace_file);
      !complaint.empty() && !request->trust)
    return Error{complaint};
  if (std::string complaint = environment_complaint(); !complaint.empty()) return Error{complaint};
  Result<std::string> library = find_library();
  if (!library) return library.error();

  RunOptions options;
  options.mode = Mode::Replay;
  options.stop_in_debugger = request->gdb;
  bool edited = program->identity != recorded->build_id;
  if (edited) follow_moved_objects(*recorded);
  if (edited)
    print_error(
        "heddle: {} has changed since {} was recorded; its actions are matched with the "
        "recorded ones\n",
        program->path, request->trace_file);
  if (!apply_settings(recorded->run_settings, options))
    return Error{fmt::format("{} was written by another version of Heddle", request->trace_file)};
  Target target{program->path, recorded->arguments, *library, {}, {}, {}, program->path};
  for (const std::string& setting : recorded->run_settings)
    if (Property property; property_from_setting(setting, request->trace_file, property))
      target.properties.push_back(std::move(property));
  Result<std::vector<ChannelProperty>> properties =
      resolve_properties(target.properties, program->path);
  if (!properties) return properties.error();
  std::vector<std::string> scratch;
  for (const std::string& setting : recorded->run_settings) {
    if (setting.starts_with(kScratchSetting))
      scratch.push_back(setting.substr(kScratchSetting.size()));
    if (setting.starts_with(kNameSetting)) target.name = setting.substr(kNameSetting.size());
  }
  Result<ScratchPlace> place = prepare_scratch(fmt::format("{}", fmt::join(scratch, ",")), target);
  if (!place) return place.error();
  switch_randomisation_off();
  Result<ChannelFile> channel = ChannelFile::create(options, to_text(*recorded));
  if (!channel) return channel.error();
  channel->header().options.void_main = program->void_main;
  channel->header().instrumented = program->instrumented ? 1 : 0;
  channel->header().resynchronise = edited ? 1 : 0;
  put_properties(*properties, channel->header());
  if (request->gdb) return debug(target, *channel, request->for_gdb);
  return replay_and_report(*request, *recorded, *program, target, *channel);
}

}  // namespace heddle
