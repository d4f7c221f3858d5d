#include "prove/circuit_file.h"

#include <fmt/format.h>

#include <fstream>
#include <variant>

#include "circuit/aiger.h"
#include "circuit/encode.h"

namespace heddle::prove {
namespace {

circuit::ScheduleReduction reduction_of(explicit_states::ReductionKind kind) {
  switch (kind) {
    case explicit_states::ReductionKind::Stubborn:
      return circuit::ScheduleReduction::Stubborn;
    case explicit_states::ReductionKind::Transactions:
      return circuit::ScheduleReduction::Transactions;
    default:
      return circuit::ScheduleReduction::None;
  }
}

}  // namespace

std::string write_circuit(const graph::Program& program, const ProveOptions& options) {
  circuit::EncodeOptions encoding;
  encoding.races = options.races;
  encoding.reduction = reduction_of(options.check.reduction);
  const auto made = circuit::encode(program, encoding);
  if (const auto* refusal = std::get_if<circuit::Refusal>(&made)) return refusal->sentence;
  std::ofstream out(options.aiger, std::ios::binary);
  circuit::write_aiger(std::get<circuit::Encoded>(made).system, circuit::AigerVersion::V1_9,
                       circuit::AigerNames::Written, out);
  out.close();
  return out ? "" : fmt::format("cannot write {}; check the directory", options.aiger);
}

}  // namespace heddle::prove
