#include "symbolic/unrolling.h"

namespace heddle::symbolic {

using circuit::Literal;
using circuit::Reset;

Unrolling::Unrolling(const circuit::System& system, uint32_t property, Start start)
    : system_(system), cone_(cone_of(system, property)) {
  const circuit::Aig& aig = system.aig;
  std::vector<Literal> state;
  for (uint32_t node : cone_.latches) {
    const Reset reset = start == Start::Anywhere ? Reset::Free : aig.reset(aig.number_of(node));
    state.push_back(reset == Reset::Free ? flat_.add_input("")
                                         : circuit::constant(reset == Reset::One));
  }
  states_.push_back(std::move(state));
}

void Unrolling::extend() {
  const circuit::Aig& aig = system_.aig;
  images_.emplace_back(aig.node_count());
  std::vector<Literal>& image = images_.back();
  const uint32_t frame = frames() - 1;
  for (size_t i = 0; i < cone_.latches.size(); ++i) image[cone_.latches[i]] = states_[frame][i];
  for (uint32_t node : cone_.inputs) image[node] = flat_.add_input("");
  for (uint32_t node : cone_.gates)
    image[node] = flat_.land(at(frame, aig.left(node)), at(frame, aig.right(node)));
  std::vector<Literal> next;
  for (uint32_t node : cone_.latches) next.push_back(at(frame, aig.next(aig.number_of(node))));
  states_.push_back(std::move(next));
}

Literal Unrolling::differ(uint32_t one, uint32_t other) {
  std::vector<Literal> differences;
  for (size_t i = 0; i < cone_.latches.size(); ++i)
    differences.push_back(flat_.lxor(states_[one][i], states_[other][i]));
  return flat_.lor(differences);
}

Literal Unrolling::constraints(uint32_t frame) {
  std::vector<Literal> all;
  for (Literal constraint : system_.constraints) all.push_back(at(frame, constraint));
  return flat_.land(all);
}

}  // namespace heddle::symbolic
