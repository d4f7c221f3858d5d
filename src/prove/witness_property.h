// What SV-COMP's language of properties can say, and which findings are about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"
#include "prove/options.h"

namespace heddle::prove {

// Where an execution breaks the property.
enum class BrokenAt : uint8_t {
  Place,       // at the place of the failure, which may be the last step's
  LastStep,    // nothing happens any more
  NextAccess,  // at an access that is about to be made
};

// Whether a search without a finding says that the property holds.
enum class Provable : uint8_t { No, Yes };

struct WitnessProperty {
  FindingKind kind;
  std::string_view formula;
  BrokenAt broken_at;
  Provable provable;
};

// Null: there is none that is about these findings.
const WitnessProperty* witness_property(FindingKind kind);

// "CHECK( init(main()), LTL(G ! data-race) )"
std::string specification(std::string_view formula);
// That the function is never called: "reach_error".
std::string specification_against_calls(std::string_view function);

// What a pass has shown.
std::vector<std::string> proved_specifications(const ProveOptions& options);

}  // namespace heddle::prove
