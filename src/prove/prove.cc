#include "prove/prove.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/check.h"
#include "cli/build.h"
#include "cli/compile_flags.h"
#include "cli/exit_status.h"
#include "cli/standard_output.h"
#include "explicit/lasso_search.h"
#include "frontend/frontend.h"
#include "graph/check.h"
#include "graph/text.h"
#include "interpreter/graph_space.h"
#include "prove/circuit_file.h"
#include "prove/circuit_search.h"
#include "prove/confirm.h"
#include "prove/event_search.h"
#include "prove/judged_space.h"
#include "prove/result.h"
#include "prove/witness_file.h"

namespace heddle::prove {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// All that --reach-only does not speak of.
constexpr FindingKinds all_but_assertions() {
  return ~(FindingKinds{1} << static_cast<uint32_t>(FindingKind::Assertion));
}

bool is_graph(const std::string& file) {
  return file.ends_with(".graph");
}

Result<frontend::Translation> read_graph(const std::string& file) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return Error{fmt::format("cannot read {}", file)};
  frontend::Translation translation;
  graph::TextError error;
  if (!graph::parse_text(text, translation.program, error))
    return Error{fmt::format("{}:{}", file, graph::to_string(error))};
  return translation;
}

std::string input_complaint(const ProveRequest& request) {
  for (const std::string& file : request.inputs) {
    if (language_of(file) == Language::None && !is_graph(file))
      return fmt::format("{} is not a source file; heddle prove needs the program's text", file);
    if (is_graph(file) && request.inputs.size() > 1)
      return fmt::format("{} is a whole program; name nothing beside it", file);
    if (std::string complaint = unreadable_source(file); !complaint.empty()) return complaint;
  }
  return "";
}

// Where heddle/heddle.h lies: installed, or in the source tree that this was built from.
std::string include_directory() {
  std::error_code ignored;
  const fs::path home = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& place : {home / "../include", fs::path(HEDDLE_SOURCE_DIR) / "include"})
    if (fs::is_regular_file(place / "heddle/heddle.h", ignored)) return place.string();
  return "";
}

frontend::Options frontend_options(const ProveRequest& request) {
  frontend::Options options;
  options.sources = request.inputs;
  options.flags = request.compile_flags;
  options.include = include_directory();
  options.arguments = request.arguments;
  options.max_threads = request.options.max_threads;
  options.recursion = request.options.unwind;
  options.allocations = request.options.allocations;
  options.overflow = request.options.overflow;
  options.abort_ends = request.options.reach_only;
  options.reach_error_counts = request.options.reach_only;
  return options;
}

// The executions that have been looked at; empty: nothing can be said about any.
std::string covered(const ProveResult& result) {
  const explicit_states::Coverage& coverage = result.check.coverage;
  // A bound is no proof: the verdict stays unknown.
  if (result.verdict == heddle::Verdict::Unknown && result.circuit && result.circuit->depth &&
      result.findings.empty() && result.beyond.empty())
    return fmt::format("no execution within the first {} steps of the circuit",
                       *result.circuit->depth + 1);
  if (result.verdict != heddle::Verdict::Pass) return "";
  if (coverage.preemptions && !coverage.all_preemptions)
    return fmt::format("no execution with at most {} preemptions", *coverage.preemptions);
  return "no execution";
}

// What has been shown, in words.
std::string guarantee_of(const ProveRequest& request, const ProveResult& result) {
  const explicit_states::Coverage& coverage = result.check.coverage;
  std::string text = covered(result);
  if (text.empty()) return "none";
  if (!request.options.ltl.empty())
    return fmt::format("every {}execution keeps {}; nothing else was looked for",
                       request.options.fair ? "fair " : "", request.options.ltl);
  text += request.options.reach_only
              ? " fails an assertion"
              : " deadlocks, fails an assertion, crashes, misuses memory or synchronisation";
  if (!request.options.reach_only && request.options.races) text += " or has a data race";
  text += ", with all atomic operations sequentially consistent and no spurious wake-ups";
  if (!request.options.reach_only)
    text += "; livelocks, leaks and lost wake-ups are not looked for";
  if (coverage.storage != explicit_states::Storage::Exact)
    text += fmt::format("; states were told apart by hashes, about {:.2g} may have been missed",
                        coverage.expected_omissions);
  if (request.options.ignored != 0)
    text += fmt::format("; ignored: {}", list_of(request.options.ignored));
  return text;
}

bool has_atomic_sections(const graph::Program& program) {
  for (const graph::Routine& routine : program.routines)
    for (const graph::Block& block : routine.blocks)
      if (block.action.kind == graph::ActionKind::AtomicBegin) return true;
  return false;
}

Judgement judgement_of(const ProveOptions& options) {
  Judgement judgement{options.ignored, options.races};
  if (options.reach_only) judgement = {all_but_assertions(), false};
  if (contains(judgement.ignored, FindingKind::DataRace) || options.check.temporal)
    judgement.races = false;
  return judgement;
}

// All states of the graph, one by one.
std::vector<Counterexample> search_states(const ProveOptions& given, const graph::Program& program,
                                          ProveResult& result) {
  explicit_states::CheckOptions options = given.check;
  const Clock::time_point begin = Clock::now();
  GraphSpace plain(program);
  JudgedSpace space(plain.clone(), judgement_of(given));
  if (given.time_limit > 0) options.stop = [&] { return seconds_since(begin) > given.time_limit; };
  result.check = explicit_states::check(space, options);
  result.beyond = result.check.coverage.beyond;
  std::vector<Counterexample> told;
  for (const explicit_states::CheckFinding& finding : result.check.findings)
    told.push_back(retell(plain, finding));
  return told;
}

bool wants_circuit(const ProveOptions& options, const graph::Program& program) {
  switch (options.engine.mode) {
    case EngineChoice::Mode::ByInputs:
      return options.ltl.empty() && has_wide_inputs(program);
    case EngineChoice::Mode::Explicit:
      return false;
    default:
      return true;
  }
}

void explore(const ProveRequest& request, const frontend::Translation& translation,
             ProveResult& result) {
  const ProveOptions& options = request.options;
  const Judgement judgement = judgement_of(options);
  const Clock::time_point begin = Clock::now();
  std::vector<Counterexample> told;
  if (wants_circuit(options, translation.program)) {
    result.circuit = options.engine.mode == EngineChoice::Mode::Events
                         ? search_events(translation.program, options, judgement)
                         : search_circuit(translation.program, options, judgement);
    told = std::move(result.circuit->findings);
    result.beyond = result.circuit->beyond;
  } else {
    told = search_states(options, translation.program, result);
  }
  result.search_seconds = seconds_since(begin);
  // A section is one step, so that no state shows a thread before an access inside it.
  if (judgement.races && has_atomic_sections(translation.program))
    result.beyond.emplace_back(
        "data races with accesses inside atomic sections are not looked for; --races=off leaves "
        "out all races");
  for (Counterexample& each : told) {
    ProvedFinding proved{std::move(each), {}};
    if (proved.counterexample.loop) {
      proved.confirmation.sentence = "not replayed: an execution without end cannot be";
    } else if (options.confirm == Confirm::Natively && !is_graph(request.inputs.front())) {
      const NativeProgram native{request, translation.program, translation.verifier_functions,
                                 translation.own_reach_error};
      proved.confirmation = confirm(native, proved.counterexample, result.findings.size() + 1);
    }
    result.findings.push_back(std::move(proved));
  }
}

// Why engines over a circuit do not say that there is no bug, without a period; or nothing.
std::string doubt_of(const CircuitResult& circuit) {
  if (!circuit.proof.empty()) return "";
  if (!circuit.depth) return circuit.reason;
  return fmt::format("no bug within the first {} steps of the circuit; {}", *circuit.depth + 1,
                     circuit.reason);
}

// What the search has seen decides, and whether the bugs show when the program itself is run.
void decide(ProveResult& result) {
  bool confirmed = false, refuted = false;
  for (const ProvedFinding& finding : result.findings) {
    const bool shown = finding.confirmation.state != Confirmation::State::NotShown;
    (shown ? confirmed : refuted) = true;
  }
  if (confirmed) {
    result.verdict = heddle::Verdict::Fail;
  } else if (refuted) {
    result.reason =
        "a counterexample of the graph does not show natively: a defect of heddle prove";
  } else if (!result.check.reason.empty()) {
    result.reason = result.check.reason;
  } else if (result.circuit && !doubt_of(*result.circuit).empty()) {
    result.reason = doubt_of(*result.circuit);
  } else if (!result.beyond.empty()) {
    result.reason = fmt::format("{}", fmt::join(result.beyond, "; "));
  } else if (result.check.dismissed > 0 && result.check.ended == 0) {
    result.reason = "every execution breaks an assumption";
  } else {
    result.verdict = heddle::Verdict::Pass;
  }
}

int status_of(heddle::Verdict verdict) {
  switch (verdict) {
    case heddle::Verdict::Pass:
      return kExitPass;
    case heddle::Verdict::Fail:
      return kExitFail;
    default:
      return kExitUnknown;
  }
}

Result<int> finish(const ProveRequest& request, const frontend::Translation& translation,
                   ProveResult& result, std::optional<OutputFile>& witness) {
  result.guarantee = guarantee_of(request, result);
  print_text(request.options.json ? json_report(result)
                                  : text_report(result, request.options.quiet));
  if (witness) {
    Result<std::string> missing = write_witness(*witness, request, translation, result);
    if (!missing) return missing.error();
    if (!missing->empty()) print_error("heddle: no witness is written: {}\n", *missing);
  }
  return status_of(result.verdict);
}

}  // namespace

Result<int> prove(const ProveRequest& request) {
  if (std::string complaint = input_complaint(request); !complaint.empty()) return Error{complaint};
  Result<std::optional<OutputFile>> witness = open_witness(request);
  if (!witness) return witness.error();
  const Clock::time_point begin = Clock::now();
  Result<frontend::Translation> made =
      is_graph(request.inputs.front())
          ? read_graph(request.inputs.front())
          : Result<frontend::Translation>(frontend::translate(frontend_options(request)));
  if (!made) return made.error();
  const frontend::Translation& translation = *made;
  ProveResult result;
  result.program = translation.program.name;
  result.frontend_seconds = seconds_since(begin);
  if (translation.answer == frontend::Answer::CannotCompile) return Error{translation.sentence};
  if (translation.answer == frontend::Answer::CannotModel) {
    result.reason = translation.sentence;
    return finish(request, translation, result, *witness);
  }
  for (const std::string& problem : graph::problems_of(translation.program)) {
    print_error("heddle: {}\n", problem);
    HEDDLE_CHECK(!"the front end made a graph that is not well formed");
  }
  if (request.options.dump_graph) {
    print_text(graph::to_text(translation.program));
    return kExitPass;
  }
  if (!request.options.aiger.empty()) {
    if (std::string complaint = write_circuit(translation.program, request.options);
        !complaint.empty())
      return Error{complaint};
    return kExitPass;
  }
  if (request.options.check.temporal) {
    const GraphSpace space(translation.program);
    if (std::string complaint =
            explicit_states::complaint_about(space, *request.options.check.temporal);
        !complaint.empty())
      return Error{complaint};
  }
  result.graph = size_of(translation.program);
  explore(request, translation, result);
  decide(result);
  return finish(request, translation, result, *witness);
}

}  // namespace heddle::prove
