#include "prove/witness_property.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace heddle::prove {
namespace {

// Findings without a row break nothing that the language has a word for: it has none for locks that
// are misused, and a crash may be one of several things. Accesses whose value nobody uses are not
// in the graph, so that the absence of findings does not prove all accesses valid.
constexpr WitnessProperty kProperties[] = {
    {FindingKind::Assertion, "G assert", BrokenAt::Place, Provable::Yes},
    {FindingKind::DataRace, "G ! data-race", BrokenAt::NextAccess, Provable::Yes},
    {FindingKind::Deadlock, "G ! deadlock", BrokenAt::LastStep, Provable::Yes},
    {FindingKind::OutOfBounds, "G valid-deref", BrokenAt::Place, Provable::No},
    {FindingKind::UseAfterFree, "G valid-deref", BrokenAt::Place, Provable::No},
    {FindingKind::StackUse, "G valid-deref", BrokenAt::Place, Provable::No},
    {FindingKind::DoubleFree, "G valid-free", BrokenAt::Place, Provable::No},
    {FindingKind::InvalidFree, "G valid-free", BrokenAt::Place, Provable::No},
};

constexpr std::string_view kReachError = "reach_error";

}  // namespace

const WitnessProperty* witness_property(FindingKind kind) {
  const auto* row = std::find_if(std::begin(kProperties), std::end(kProperties),
                                 [&](const WitnessProperty& each) { return each.kind == kind; });
  return row == std::end(kProperties) ? nullptr : row;
}

std::string specification(std::string_view formula) {
  return fmt::format("CHECK( init(main()), LTL({}) )", formula);
}

std::string specification_against_calls(std::string_view function) {
  return specification(fmt::format("G ! call({}())", function));
}

std::vector<std::string> proved_specifications(const ProveOptions& options) {
  if (options.reach_only) return {specification_against_calls(kReachError)};
  std::vector<std::string> proved;
  for (const WitnessProperty& row : kProperties)
    if (row.provable == Provable::Yes && (row.kind != FindingKind::DataRace || options.races))
      proved.push_back(specification(row.formula));
  return proved;
}

}  // namespace heddle::prove
