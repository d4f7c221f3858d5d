#include "circuit/aiger.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "base/check.h"

namespace heddle::circuit {
namespace {

// AIGER numbers inputs first, then latches, then gates.
std::vector<uint32_t> numbers_of(const Aig& aig) {
  std::vector<uint32_t> numbers(aig.node_count());
  uint32_t next = 1;
  for (uint32_t node : aig.inputs()) numbers[node] = next++;
  for (uint32_t node : aig.latches()) numbers[node] = next++;
  for (uint32_t node = 0; node < aig.node_count(); ++node)
    if (aig.kind(node) == NodeKind::And) numbers[node] = next++;
  return numbers;
}

// Seven bits a byte, the lowest first; the highest bit says that more follow.
void put_difference(std::ostream& out, uint32_t difference) {
  while (difference >= 0x80) {
    out.put(static_cast<char>(0x80 | (difference & 0x7f)));
    difference >>= 7;
  }
  out.put(static_cast<char>(difference));
}

std::string reset_text(Reset reset, uint32_t own) {
  switch (reset) {
    case Reset::Zero:
      return "";
    case Reset::One:
      return " 1";
    case Reset::Free:
      return fmt::format(" {}", own);
  }
  return "";
}

}  // namespace

void write_aiger(const System& system, AigerVersion version, AigerNames names, std::ostream& out) {
  const Aig& aig = system.aig;
  const bool outputs = version == AigerVersion::V1_0;
  HEDDLE_CHECK(!outputs || system.constraints.empty());
  const std::vector<uint32_t> numbers = numbers_of(aig);
  const auto code = [&](Literal of) { return numbers[of.node()] << 1 | (of.code & 1); };
  const size_t inputs = aig.inputs().size(), latches = aig.latches().size();
  const size_t properties = system.properties.size();
  out << fmt::format("aig {} {} {} {} {}", inputs + latches + aig.gate_count(), inputs, latches,
                     outputs ? properties : 0, aig.gate_count());
  if (!outputs) out << fmt::format(" {} {}", properties, system.constraints.size());
  out << '\n';
  for (uint32_t i = 0; i < latches; ++i)
    out << code(aig.next(i)) << reset_text(aig.reset(i), code(Literal{aig.latches()[i] << 1}))
        << '\n';
  for (const Property& property : system.properties) out << code(property.bad) << '\n';
  for (Literal constraint : system.constraints) out << code(constraint) << '\n';
  for (uint32_t node = 0; node < aig.node_count(); ++node) {
    if (aig.kind(node) != NodeKind::And) continue;
    const auto [low, high] = std::minmax({code(aig.left(node)), code(aig.right(node))});
    put_difference(out, (numbers[node] << 1) - high);
    put_difference(out, high - low);
  }
  if (names == AigerNames::LeftOut) return;
  for (uint32_t i = 0; i < inputs; ++i) out << 'i' << i << ' ' << aig.input_name(i) << '\n';
  for (uint32_t i = 0; i < latches; ++i) out << 'l' << i << ' ' << aig.latch_name(i) << '\n';
  for (size_t i = 0; i < properties; ++i)
    out << (outputs ? 'o' : 'b') << i << ' ' << system.properties[i].name << '\n';
}

}  // namespace heddle::circuit
