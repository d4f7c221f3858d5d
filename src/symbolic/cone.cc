#include "symbolic/cone.h"

namespace heddle::symbolic {

using circuit::Aig;
using circuit::Literal;
using circuit::NodeKind;

Cone cone_of(const circuit::System& system, uint32_t property) {
  const Aig& aig = system.aig;
  std::vector<bool> inside(aig.node_count());
  std::vector<uint32_t> open;
  const auto enter = [&](Literal literal) {
    if (inside[literal.node()]) return;
    inside[literal.node()] = true;
    open.push_back(literal.node());
  };
  enter(system.properties[property].bad);
  for (Literal constraint : system.constraints) enter(constraint);
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    if (aig.kind(node) == NodeKind::And) {
      enter(aig.left(node));
      enter(aig.right(node));
    } else if (aig.kind(node) == NodeKind::Latch) {
      enter(aig.next(aig.number_of(node)));
    }
  }
  Cone cone;
  for (uint32_t node = 0; node < aig.node_count(); ++node) {
    if (!inside[node]) continue;
    if (aig.kind(node) == NodeKind::Input) cone.inputs.push_back(node);
    if (aig.kind(node) == NodeKind::Latch) cone.latches.push_back(node);
    if (aig.kind(node) == NodeKind::And) cone.gates.push_back(node);
  }
  return cone;
}

}  // namespace heddle::symbolic
