#include "circuit/aig.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace heddle::circuit {
namespace {

template <typename Combine>
Literal balanced(const std::vector<Literal>& operands, Literal neutral, Combine combine) {
  std::vector<Literal> level = operands;
  if (level.empty()) return neutral;
  while (level.size() > 1) {
    size_t kept = 0;
    for (size_t i = 0; i < level.size(); i += 2)
      level[kept++] = i + 1 < level.size() ? combine(level[i], level[i + 1]) : level[i];
    level.resize(kept);
  }
  return level.front();
}

}  // namespace

Aig::Aig() : nodes_(1) {}

Literal Aig::add_input(std::string name) {
  const uint32_t node = node_count();
  nodes_.push_back({NodeKind::Input, static_cast<uint32_t>(inputs_.size()), {}, {}});
  inputs_.push_back(node);
  input_names_.push_back(std::move(name));
  return {node << 1};
}

Literal Aig::add_latch(std::string name, Reset reset) {
  const uint32_t node = node_count();
  nodes_.push_back({NodeKind::Latch, static_cast<uint32_t>(latches_.size()), {}, {}});
  latches_.push_back(node);
  latch_names_.push_back(std::move(name));
  next_.push_back({node << 1});
  resets_.push_back(reset);
  return {node << 1};
}

void Aig::set_next(Literal latch, Literal next) {
  HEDDLE_CHECK(kind(latch.node()) == NodeKind::Latch && !latch.complemented());
  next_[number_of(latch.node())] = next;
}

Literal Aig::land(Literal a, Literal b) {
  if (a.code > b.code) std::swap(a, b);
  if (a == kFalse || a == !b) return kFalse;
  if (a == kTrue || a == b) return b;
  const uint64_t key = uint64_t{a.code} << 32 | b.code;
  const auto [found, is_new] = gate_of_.try_emplace(key, node_count());
  if (is_new) nodes_.push_back({NodeKind::And, gates_++, a, b});
  return {found->second << 1};
}

Literal Aig::lxor(Literal a, Literal b) {
  return lor(land(a, !b), land(!a, b));
}

Literal Aig::mux(Literal condition, Literal then, Literal otherwise) {
  if (then == otherwise) return then;
  if (then == !otherwise) return iff(condition, then);
  return lor(land(condition, then), land(!condition, otherwise));
}

Literal Aig::land(const std::vector<Literal>& operands) {
  return balanced(operands, kTrue, [this](Literal a, Literal b) { return land(a, b); });
}

Literal Aig::lor(const std::vector<Literal>& operands) {
  return balanced(operands, kFalse, [this](Literal a, Literal b) { return lor(a, b); });
}

void Simulation::reset(const std::vector<bool>& latches) {
  const Aig& aig = system_.aig;
  for (uint32_t i = 0; i < aig.latches().size(); ++i) {
    const Reset reset = aig.reset(i);
    HEDDLE_CHECK(reset == Reset::Free || latches[i] == (reset == Reset::One));
  }
  set_latches(latches);
}

void Simulation::set_latches(const std::vector<bool>& latches) {
  for (uint32_t i = 0; i < latches.size(); ++i) values_[system_.aig.latches()[i]] = latches[i];
}

void Simulation::set_inputs(const std::vector<bool>& inputs) {
  const Aig& aig = system_.aig;
  for (uint32_t node = 1; node < aig.node_count(); ++node) {
    if (aig.kind(node) == NodeKind::Input) values_[node] = inputs[aig.number_of(node)];
    if (aig.kind(node) == NodeKind::And)
      values_[node] = value(aig.left(node)) && value(aig.right(node));
  }
}

void Simulation::step() {
  const Aig& aig = system_.aig;
  std::vector<bool> next(aig.latches().size());
  for (uint32_t i = 0; i < next.size(); ++i) next[i] = value(aig.next(i));
  for (uint32_t i = 0; i < next.size(); ++i) values_[aig.latches()[i]] = next[i];
}

std::vector<bool> Simulation::latches() const {
  std::vector<bool> result;
  for (uint32_t node : system_.aig.latches()) result.push_back(values_[node]);
  return result;
}

bool Simulation::constraints_hold() const {
  return std::ranges::all_of(system_.constraints, [this](Literal each) { return value(each); });
}

bool shows(const System& system, const Run& run, uint32_t property) {
  Simulation simulation(system);
  simulation.reset(run.reset);
  for (size_t i = 0; i < run.steps.size(); ++i) {
    simulation.set_inputs(run.steps[i]);
    if (!simulation.constraints_hold()) return false;
    if (i + 1 == run.steps.size()) return simulation.value(system.properties[property].bad);
    simulation.step();
  }
  return false;
}

}  // namespace heddle::circuit
