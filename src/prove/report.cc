#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/action.h"
#include "prove/result.h"
#include "report/narrator.h"
#include "report/text_report.h"

namespace heddle::prove {
namespace {

using Json = nlohmann::ordered_json;

const char* name(Confirmation::State state) {
  switch (state) {
    case Confirmation::State::Shown:
      return "shown";
    case Confirmation::State::Found:
      return "found";
    case Confirmation::State::NotShown:
      return "not shown";
    default:
      return "not tried";
  }
}

std::string steps_text(const Counterexample& told) {
  size_t width = 4;
  for (const std::string& description : told.descriptions)
    width = std::max(width, description.size());
  std::string out =
      told.trace.preemptions > 0 ? "\nsteps (* preempts the thread before):\n" : "\nsteps:\n";
  for (size_t i = 0; i < told.descriptions.size(); ++i) {
    const TraceStep& step = told.trace.steps[i];
    if (told.loop == i) out += "  from here on, for ever:\n";
    out += fmt::format("  {:4}{} thread {}  {:{}}  {}\n", i + 1, step.preempts ? '*' : ' ',
                       index(step.action.thread), told.descriptions[i], width, told.places[i]);
  }
  if (told.loop == told.descriptions.size()) out += "  then nothing happens any more\n";
  return out;
}

std::string finding_text(const ProvedFinding& finding, bool quiet) {
  const Counterexample& told = finding.counterexample;
  const Failure& failure = told.trace.failure;
  std::string out = fmt::format("{}{}: {}\n", told.place.empty() ? "" : told.place + ": ",
                                heddle::name(failure.kind), message_of(failure));
  const Confirmation& confirmation = finding.confirmation;
  if (!quiet) {
    out += "\nthreads:\n";
    for (size_t i = 0; i < told.trace.threads.size(); ++i)
      out += fmt::format("  thread {} \"{}\"\n", index(told.trace.threads[i].id),
                         told.thread_names[i]);
    out += steps_text(told);
    if (!told.waiting.empty())
      out += fmt::format("\nat the end:\n  {}\n", fmt::join(told.waiting, "\n  "));
    out += '\n';
  }
  if (!confirmation.sentence.empty()) out += confirmation.sentence + '\n';
  if (!confirmation.trace_file.empty())
    out += fmt::format("heddle replay --trust {}\n", file_word(confirmation.trace_file));
  if (!confirmation.native.empty() && !quiet)
    out += fmt::format("\nthe native execution:\n{}", confirmation.native);
  return out + '\n';
}

Json step_json(const Counterexample& told, size_t i) {
  const TraceStep& step = told.trace.steps[i];
  return {{"step", i + 1},
          {"thread", index(step.action.thread)},
          {"operation", heddle::name(step.action.op)},
          {"description", told.descriptions[i]},
          {"place", told.places[i]},
          {"preempts", step.preempts},
          {"choice", step.choice},
          {"choices", step.choices}};
}

Json finding_json(const ProvedFinding& finding, size_t number) {
  const Counterexample& told = finding.counterexample;
  Json json = {
      {"number", number},
      {"kind", heddle::name(told.trace.failure.kind)},
      {"message", told.trace.failure.message},
      {"location", told.place},
      {"preemptions", told.trace.preemptions},
      {"schedule", to_string(told.trace.schedule)},
      {"trace_file", finding.confirmation.trace_file},
      {"inputs", told.inputs},
      {"confirmation",
       {{"state", name(finding.confirmation.state)}, {"sentence", finding.confirmation.sentence}}},
      {"steps", told.trace.steps.size()},
      {"threads", Json::array()},
      {"trace", Json::array()},
      {"pending", told.waiting}};
  if (told.loop) json["loop"] = *told.loop + 1;
  for (size_t i = 0; i < told.trace.threads.size(); ++i)
    json["threads"].push_back(
        {{"id", index(told.trace.threads[i].id)}, {"name", told.thread_names[i]}});
  for (size_t i = 0; i < told.trace.steps.size(); ++i) json["trace"].push_back(step_json(told, i));
  return json;
}

Json circuit_json(const CircuitResult& circuit) {
  Json json = {{"inputs", circuit.size.inputs}, {"latches", circuit.size.latches},
               {"gates", circuit.size.gates},   {"engine", circuit.engine},
               {"proof", circuit.proof},        {"depth", nullptr}};
  if (circuit.depth) json["depth"] = *circuit.depth;
  if (!circuit.effort.empty()) json["effort"] = circuit.effort;
  return json;
}

double states_per_second(const ProveResult& result) {
  return result.search_seconds > 0
             ? static_cast<double>(result.check.states) / result.search_seconds
             : 0;
}

std::string circuit_text(const CircuitResult& circuit, double seconds) {
  std::string text =
      circuit.effort.empty()
          ? fmt::format("circuit of {} inputs, {} latches, {} gates", circuit.size.inputs,
                        circuit.size.latches, circuit.size.gates)
          : circuit.effort;
  text += circuit.engine.empty() ? "" : fmt::format("; {}", circuit.engine);
  text += fmt::format(" in {:.2f} s", seconds);
  return circuit.proof.empty() ? text : fmt::format("{}: {}", text, circuit.proof);
}

std::string effort_text(const ProveResult& result) {
  return result.circuit ? circuit_text(*result.circuit, result.search_seconds)
                        : fmt::format("{} states, {} steps in {:.2f} s", result.check.states,
                                      result.check.transitions, result.search_seconds);
}

std::string end_reason(const ProveResult& result) {
  if (result.circuit && !result.circuit->reason.empty()) return result.circuit->reason;
  if (result.circuit && result.circuit->proof.empty()) return "first finding";
  if (!result.check.reason.empty()) return result.check.reason;
  if (result.check.coverage.incomplete == explicit_states::Incomplete::FirstFinding)
    return "first finding";
  return result.beyond.empty() && result.graph.routines > 0 ? "exhausted" : "beyond the graph";
}

}  // namespace

GraphSize size_of(const graph::Program& program) {
  GraphSize size;
  size.routines = program.routines.size();
  size.objects = program.objects.size();
  for (const graph::Routine& routine : program.routines) {
    size.blocks += routine.blocks.size();
    for (const graph::Block& block : routine.blocks)
      if (block.action.kind != graph::ActionKind::None && !block.action.own) ++size.actions;
  }
  for (const graph::Object& object : program.objects) size.cells += object.cells.size();
  return size;
}

std::string text_report(const ProveResult& result, bool quiet) {
  std::string out;
  for (const ProvedFinding& finding : result.findings) out += finding_text(finding, quiet);
  switch (result.verdict) {
    case heddle::Verdict::Pass:
      out += "pass: no bug found\n";
      break;
    case heddle::Verdict::Fail:
      out += fmt::format("fail: {} bug{} found\n", result.findings.size(),
                         result.findings.size() == 1 ? "" : "s");
      break;
    case heddle::Verdict::Unknown:
      out += fmt::format("unknown: {}\n", result.reason);
      break;
  }
  out += fmt::format("guarantee: {}\n", result.guarantee);
  if (result.graph.routines == 0) return out;
  out += fmt::format("graph of {} routines, {} blocks, {} objects in {:.2f} s; {}\n",
                     result.graph.routines, result.graph.blocks, result.graph.objects,
                     result.frontend_seconds, effort_text(result));
  return out;
}

std::string json_report(const ProveResult& result) {
  Json json = {{"verdict", heddle::name(result.verdict)},
               {"guarantee", result.guarantee},
               {"reason", result.reason},
               {"beyond", result.beyond},
               {"end_reason", end_reason(result)},
               {"program", result.program},
               {"strategy", result.circuit ? result.circuit->engine : "explicit"},
               {"graph",
                {{"routines", result.graph.routines},
                 {"blocks", result.graph.blocks},
                 {"actions", result.graph.actions},
                 {"objects", result.graph.objects},
                 {"cells", result.graph.cells}}},
               {"states", result.check.states},
               {"events", result.check.transitions},
               {"dismissed", result.check.dismissed},
               {"states_per_second", states_per_second(result)},
               {"state_bytes", result.check.bytes},
               {"frontend_seconds", result.frontend_seconds},
               {"seconds", result.frontend_seconds + result.search_seconds},
               {"findings", Json::array()}};
  if (result.circuit) json["circuit"] = circuit_json(*result.circuit);
  for (size_t i = 0; i < result.findings.size(); ++i)
    json["findings"].push_back(finding_json(result.findings[i], i + 1));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::prove
