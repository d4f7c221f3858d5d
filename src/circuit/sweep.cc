#include "circuit/sweep.h"

#include <algorithm>
#include <cstdint>

namespace heddle::circuit {
namespace {

// A set of values: 1 is {false}, 2 is {true}, 3 is both.
using Values = uint8_t;
constexpr Values kOnlyFalse = 1, kOnlyTrue = 2, kBoth = 3;

constexpr Values complement(Values values) {
  return static_cast<Values>((values & 1) << 1 | values >> 1);
}
constexpr Values land(Values a, Values b) {
  return static_cast<Values>(((a | b) & kOnlyFalse) | (a & b & kOnlyTrue));
}

class Ternary {
 public:
  explicit Ternary(const Aig& aig) : aig_(aig), values_(aig.node_count(), kBoth) {
    values_[0] = kOnlyFalse;
    for (uint32_t i = 0; i < aig.latches().size(); ++i)
      if (aig.reset(i) != Reset::Free)
        values_[aig.latches()[i]] = aig.reset(i) == Reset::One ? kOnlyTrue : kOnlyFalse;
    while (grow()) {
    }
  }
  Values of(uint32_t node) const { return values_[node]; }

 private:
  Values of(Literal literal) const {
    const Values values = values_[literal.node()];
    return literal.complemented() ? complement(values) : values;
  }
  bool grow() {
    for (uint32_t node = 1; node < aig_.node_count(); ++node)
      if (aig_.kind(node) == NodeKind::And)
        values_[node] = land(of(aig_.left(node)), of(aig_.right(node)));
    bool grown = false;
    for (uint32_t i = 0; i < aig_.latches().size(); ++i) {
      Values& latch = values_[aig_.latches()[i]];
      const Values all = latch | of(aig_.next(i));
      grown = grown || all != latch;
      latch = all;
    }
    return grown;
  }

  const Aig& aig_;
  std::vector<Values> values_;
};

// What constraints, properties and what else is kept depend on, through latches.
std::vector<bool> needed_nodes(const System& system, const std::vector<Literal>& kept,
                               const Ternary& values) {
  const Aig& aig = system.aig;
  std::vector<bool> needed(aig.node_count());
  std::vector<uint32_t> todo;
  const auto need = [&](Literal literal) {
    const uint32_t node = literal.node();
    if (needed[node] || values.of(node) != kBoth) return;
    needed[node] = true;
    todo.push_back(node);
  };
  for (const Literal each : system.constraints) need(each);
  for (const Property& property : system.properties) need(property.bad);
  for (const Literal each : kept) need(each);
  while (!todo.empty()) {
    const uint32_t node = todo.back();
    todo.pop_back();
    if (aig.kind(node) == NodeKind::And) {
      need(aig.left(node));
      need(aig.right(node));
    } else if (aig.kind(node) == NodeKind::Latch) {
      need(aig.next(aig.number_of(node)));
    }
  }
  return needed;
}

}  // namespace

Swept sweep(const System& system, const std::vector<Literal>& kept) {
  const Aig& from = system.aig;
  const Ternary values(from);
  const std::vector<bool> needed = needed_nodes(system, kept, values);
  Swept result;
  Aig& to = result.system.aig;
  result.literal.assign(from.node_count(), kFalse);
  for (uint32_t node = 1; node < from.node_count(); ++node) {
    Literal& now = result.literal[node];
    if (values.of(node) != kBoth) {
      now = constant(values.of(node) == kOnlyTrue);
    } else if (from.kind(node) == NodeKind::Input) {
      now = to.add_input(from.input_name(from.number_of(node)));
    } else if (needed[node] && from.kind(node) == NodeKind::Latch) {
      now = to.add_latch(from.latch_name(from.number_of(node)), from.reset(from.number_of(node)));
    } else if (needed[node]) {
      now = to.land(result.now(from.left(node)), result.now(from.right(node)));
    }
  }
  for (uint32_t i = 0; i < from.latches().size(); ++i) {
    const uint32_t node = from.latches()[i];
    if (needed[node] && values.of(node) == kBoth)
      to.set_next(result.literal[node], result.now(from.next(i)));
  }
  for (const Literal each : system.constraints)
    if (result.now(each) != kTrue) result.system.constraints.push_back(result.now(each));
  for (const Property& property : system.properties)
    result.system.properties.push_back({property.name, result.now(property.bad)});
  return result;
}

}  // namespace heddle::circuit
