#include "circuit/fold.h"

#include <cstddef>
#include <string>

namespace heddle::circuit {
namespace {

class Folding {
 public:
  Folding(const System& from, Folded& into)
      : from_(from), into_(into), to_(into.system.aig), image_(from.aig.node_count()) {}

  void run(uint32_t property) {
    add_inputs();
    add_latches();
    add_gates();
    for (uint32_t i = 0; i < latches_.size(); ++i)
      to_.set_next(latches_[i], as_stored(i, image(from_.aig.next(i))));
    finish(property);
  }

 private:
  Literal image(Literal of) const {
    const Literal literal = image_[of.node()];
    return of.complemented() ? !literal : literal;
  }
  Literal as_stored(uint32_t latch, Literal value) const {
    return from_.aig.reset(latch) == Reset::One ? !value : value;
  }

  void add_inputs() {
    const Aig& aig = from_.aig;
    for (uint32_t i = 0; i < aig.inputs().size(); ++i)
      image_[aig.inputs()[i]] = to_.add_input(aig.input_name(i));
    for (uint32_t i = 0; i < aig.latches().size(); ++i)
      if (aig.reset(i) == Reset::Free) into_.free_resets.push_back(i);
    for (uint32_t latch : into_.free_resets)
      first_values_.push_back(to_.add_input("reset." + aig.latch_name(latch)));
  }

  void add_latches() {
    const Aig& aig = from_.aig;
    for (uint32_t i = 0; i < aig.latches().size(); ++i)
      latches_.push_back(to_.add_latch(aig.latch_name(i)));
    for (uint32_t i = 0; i < latches_.size(); ++i)
      image_[aig.latches()[i]] = as_stored(i, latches_[i]);
    if (into_.free_resets.empty()) return;
    const Literal started = to_.add_latch("started");
    to_.set_next(started, kTrue);
    for (size_t i = 0; i < first_values_.size(); ++i) {
      Literal& literal = image_[aig.latches()[into_.free_resets[i]]];
      literal = to_.mux(started, literal, first_values_[i]);
    }
  }

  void add_gates() {
    for (uint32_t node = 0; node < from_.aig.node_count(); ++node)
      if (from_.aig.kind(node) == NodeKind::And)
        image_[node] = to_.land(image(from_.aig.left(node)), image(from_.aig.right(node)));
  }

  void finish(uint32_t property) {
    Literal counts = kTrue;
    if (!from_.constraints.empty()) {
      std::vector<Literal> all;
      for (Literal each : from_.constraints) all.push_back(image(each));
      const Literal failed = to_.add_latch("constraint.failed");
      counts = to_.land(to_.land(all), !failed);
      to_.set_next(failed, !counts);
    }
    const Property& asked = from_.properties[property];
    into_.system.properties.push_back({asked.name, to_.land(counts, image(asked.bad))});
  }

  const System& from_;
  Folded& into_;
  Aig& to_;
  std::vector<Literal> image_;  // by node of the original
  std::vector<Literal> latches_, first_values_;
};

}  // namespace

Folded fold(const System& system, uint32_t property) {
  Folded folded;
  Folding(system, folded).run(property);
  return folded;
}

Run unfold(const System& original, const Folded& folded, const Run& run) {
  const Aig& aig = original.aig;
  Run result;
  for (uint32_t i = 0; i < aig.latches().size(); ++i)
    result.reset.push_back(aig.reset(i) == Reset::One);
  const size_t inputs = aig.inputs().size();
  for (size_t i = 0; i < folded.free_resets.size(); ++i)
    result.reset[folded.free_resets[i]] = run.steps.front()[inputs + i];
  for (const std::vector<bool>& step : run.steps)
    result.steps.emplace_back(step.begin(), step.begin() + static_cast<std::ptrdiff_t>(inputs));
  return result;
}

}  // namespace heddle::circuit
