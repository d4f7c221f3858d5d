#include "prove/witness_file.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <variant>

#include "cli/compile_flags.h"
#include "cli/sha256.h"
#include "prove/witness.h"
#include "prove/witness_path.h"
#include "prove/witness_property.h"

namespace heddle::prove {
namespace {

// A witness that is to be written, or why there is none.
using Made = std::variant<Witness, std::string>;

std::string complaint_about(const ProveRequest& request) {
  const ProveOptions& options = request.options;
  if (request.inputs.size() != 1 || language_of(request.inputs.front()) != Language::C)
    return "--witness is for programs of one source file in C, of which witnesses speak";
  if (!options.ltl.empty())
    return "--witness is about properties that SV-COMP has; leave out --ltl";
  if (options.dump_graph || !options.aiger.empty())
    return "--witness is about a verdict; leave out --dump-graph and --aiger";
  return "";
}

std::string now() {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

// The finding whose steps the program itself has taken, before those that were not tried.
const ProvedFinding* finding_to_show(const ProveResult& result) {
  const ProvedFinding* other = nullptr;
  for (const ProvedFinding& finding : result.findings) {
    if (witness_property(finding.counterexample.trace.failure.kind) == nullptr) continue;
    if (finding.confirmation.state == Confirmation::State::Shown) return &finding;
    if (finding.confirmation.state != Confirmation::State::NotShown && other == nullptr)
      other = &finding;
  }
  return other;
}

std::string broken_specification(const frontend::Translation& translation, const Failure& failure,
                                 const WitnessProperty& property) {
  const std::string function =
      verifier_function_at(translation, failure.pc, frontend::VerifierCall::Role::Error);
  return function.empty() ? specification(property.formula) : specification_against_calls(function);
}

Made violation(const ProveRequest& request, const frontend::Translation& translation,
               const ProveResult& result) {
  const ProvedFinding* finding = finding_to_show(result);
  if (finding == nullptr) return "no property of SV-COMP is about such bugs";
  const Counterexample& told = finding->counterexample;
  const WitnessProperty& property = *witness_property(told.trace.failure.kind);
  Witness witness;
  witness.type = WitnessType::Violation;
  witness.specifications = {broken_specification(translation, told.trace.failure, property)};
  witness.edges = witness_path(translation, told, property, request.inputs.front());
  return witness;
}

Made correctness(const ProveRequest& request, const ProveResult& result) {
  const explicit_states::Coverage& coverage = result.check.coverage;
  if (request.options.ignored != 0)
    return "executions were not followed beyond findings that --ignore leaves out";
  if (coverage.preemptions && !coverage.all_preemptions)
    return "executions with more preemptions were not looked at";
  if (coverage.storage != explicit_states::Storage::Exact)
    return "states were told apart by hashes, which is no proof";
  if (!request.arguments.empty()) return "the program was looked at with these arguments only";
  Witness witness;
  witness.type = WitnessType::Correctness;
  witness.specifications = proved_specifications(request.options);
  return witness;
}

Made make_witness(const ProveRequest& request, const frontend::Translation& translation,
                  const ProveResult& result) {
  switch (result.verdict) {
    case heddle::Verdict::Fail:
      return violation(request, translation, result);
    case heddle::Verdict::Pass:
      return correctness(request, result);
    default:
      return "the verdict is unknown";
  }
}

}  // namespace

Result<std::optional<OutputFile>> open_witness(const ProveRequest& request) {
  const std::string& path = request.options.witness;
  if (path.empty()) return std::optional<OutputFile>();
  if (std::string complaint = complaint_about(request); !complaint.empty()) return Error{complaint};
  Result<OutputFile> file = OutputFile::open(path);
  if (!file) return file.error();
  const OutputFile::Identity identity = file->identity();
  if (identity != OutputFile::Identity() &&
      identity == OutputFile::identity_of(request.inputs.front()))
    return Error{fmt::format("--witness={} would overwrite the program", path)};
  return std::optional<OutputFile>(std::move(*file));
}

Result<std::string> write_witness(OutputFile& file, const ProveRequest& request,
                                  const frontend::Translation& translation,
                                  const ProveResult& result) {
  const std::string& source = request.inputs.front();
  std::ifstream in(source, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return Error{fmt::format("cannot read {}", source)};
  Made made = make_witness(request, translation, result);
  if (const auto* reason = std::get_if<std::string>(&made)) return *reason;
  Witness& witness = std::get<Witness>(made);
  const Sha256Digits digits = sha256(text);
  witness.producer = "heddle " HEDDLE_VERSION;
  witness.program_file = source;
  witness.program_hash = std::string(digits.begin(), digits.end());
  witness.creation_time = now();
  if (Result<bool> written = file.write(to_graphml(witness)); !written) return written.error();
  return std::string();
}

}  // namespace heddle::prove
