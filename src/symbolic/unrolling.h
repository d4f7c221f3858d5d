// A sequential circuit, step by step, as one combinational circuit.
//
// Each frame is a copy of the cone of influence; its latches are what the frame before computes for
// them. The copies are built in one and-inverter graph, so that constants of the reset state are
// propagated into the first frames for as long as they decide anything, and equal gates of
// different frames are one. Nothing is given to a solver before something asked for needs it.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/aig.h"
#include "symbolic/cone.h"

namespace heddle::symbolic {

// Where the first frame begins: at the reset values, or in any state at all.
enum class Start : uint8_t { Reset, Anywhere };

class Unrolling {
 public:
  Unrolling(const circuit::System& system, uint32_t property, Start start);

  void extend();  // by one frame
  uint32_t frames() const { return static_cast<uint32_t>(images_.size()); }
  const circuit::Aig& aig() const { return flat_; }
  circuit::Aig& aig() { return flat_; }

  // A literal of the cone in a frame, as one of aig().
  circuit::Literal at(uint32_t frame, circuit::Literal literal) const {
    const circuit::Literal image = images_[frame][literal.node()];
    return literal.complemented() ? !image : image;
  }
  // The latches of the cone in a frame; `frame` may be the one that comes next.
  const std::vector<circuit::Literal>& state(uint32_t frame) const { return states_[frame]; }
  // What holds in the next frame's state for certain may be put in its place.
  void set_state(const std::vector<circuit::Literal>& state) { states_.back() = state; }
  // Whether the states of two frames differ.
  circuit::Literal differ(uint32_t one, uint32_t other);
  circuit::Literal constraints(uint32_t frame);

  // The run up to a frame; value(literal) tells literals of aig(). What is outside the cone is 0.
  template <typename Value>
  circuit::Run run(uint32_t last, const Value& value) const {
    circuit::Run result;
    const circuit::Aig& aig = system_.aig;
    for (uint32_t i = 0; i < aig.latches().size(); ++i)
      result.reset.push_back(aig.reset(i) == circuit::Reset::One);
    for (size_t i = 0; i < cone_.latches.size(); ++i)
      if (aig.reset(aig.number_of(cone_.latches[i])) == circuit::Reset::Free)
        result.reset[aig.number_of(cone_.latches[i])] = value(states_[0][i]);
    for (uint32_t frame = 0; frame <= last; ++frame) {
      std::vector<bool> inputs(aig.inputs().size());
      for (uint32_t node : cone_.inputs)
        inputs[aig.number_of(node)] = value(at(frame, {node << 1}));
      result.steps.push_back(std::move(inputs));
    }
    return result;
  }

 private:
  const circuit::System& system_;
  Cone cone_;
  circuit::Aig flat_;
  std::vector<std::vector<circuit::Literal>> images_;  // by frame, by node
  std::vector<std::vector<circuit::Literal>> states_;  // by frame, by latch of the cone
};

}  // namespace heddle::symbolic
