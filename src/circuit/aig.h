// An and-inverter graph with latches: a program, or any other machine, as a sequential circuit.
//
// Every gate is an AND of two literals; a literal is a node or its complement. Gates are hashed by
// their operands and simplified where one of them decides, so that equal functions of the same
// shape are one node. A node's operands have smaller numbers than the node itself.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::circuit {

// Twice the number of a node, and one more for its complement. Node 0 is the constant false.
struct Literal {
  uint32_t code = 0;

  uint32_t node() const { return code >> 1; }
  bool complemented() const { return (code & 1) != 0; }
  Literal operator!() const { return {code ^ 1}; }
  friend bool operator==(Literal, Literal) = default;
};

inline constexpr Literal kFalse{0};
inline constexpr Literal kTrue{1};

constexpr Literal constant(bool value) {
  return value ? kTrue : kFalse;
}

enum class NodeKind : uint8_t { Constant, Input, Latch, And };

// What a latch holds before the first step.
enum class Reset : uint8_t { Zero, One, Free };

class Aig {
 public:
  Aig();

  Literal add_input(std::string name);
  Literal add_latch(std::string name, Reset reset = Reset::Zero);
  // Every latch needs one before the circuit is used; the latch itself keeps its value.
  void set_next(Literal latch, Literal next);

  Literal land(Literal a, Literal b);
  Literal lor(Literal a, Literal b) { return !land(!a, !b); }
  Literal lxor(Literal a, Literal b);
  Literal iff(Literal a, Literal b) { return !lxor(a, b); }
  Literal implies(Literal a, Literal b) { return !land(a, !b); }
  Literal mux(Literal condition, Literal then, Literal otherwise);
  // Balanced trees; true and false for no operands.
  Literal land(const std::vector<Literal>& operands);
  Literal lor(const std::vector<Literal>& operands);

  uint32_t node_count() const { return static_cast<uint32_t>(nodes_.size()); }
  uint32_t gate_count() const { return gates_; }
  NodeKind kind(uint32_t node) const { return nodes_[node].kind; }
  Literal left(uint32_t node) const { return nodes_[node].left; }    // of an And
  Literal right(uint32_t node) const { return nodes_[node].right; }  // of an And

  const std::vector<uint32_t>& inputs() const { return inputs_; }          // nodes, in order
  const std::vector<uint32_t>& latches() const { return latches_; }        // nodes, in order
  uint32_t number_of(uint32_t node) const { return nodes_[node].number; }  // within its kind
  const std::string& input_name(uint32_t number) const { return input_names_[number]; }
  const std::string& latch_name(uint32_t number) const { return latch_names_[number]; }
  Literal next(uint32_t latch_number) const { return next_[latch_number]; }
  Reset reset(uint32_t latch_number) const { return resets_[latch_number]; }

 private:
  struct Node {
    NodeKind kind = NodeKind::Constant;
    uint32_t number = 0;
    Literal left, right;
  };

  std::vector<Node> nodes_;
  uint32_t gates_ = 0;
  std::vector<uint32_t> inputs_, latches_;
  std::vector<std::string> input_names_, latch_names_;
  std::vector<Literal> next_;
  std::vector<Reset> resets_;
  std::unordered_map<uint64_t, uint32_t> gate_of_;  // by operands, the smaller one first
};

// What is asked of a circuit. A run is a sequence of input vectors from a reset state on; it counts
// only as far as every constraint holds in each of its steps.
struct Property {
  std::string name;
  Literal bad;  // whether a run comes to a step in which this holds
};

struct System {
  Aig aig;
  std::vector<Literal> constraints;
  std::vector<Property> properties;
};

// One run: the free latches' reset values and the inputs of each step, by number.
struct Run {
  std::vector<bool> reset;               // by latch number, all latches
  std::vector<std::vector<bool>> steps;  // by input number
};

// Computes one step after the other.
class Simulation {
 public:
  explicit Simulation(const System& system) : system_(system), values_(system.aig.node_count()) {}

  void reset(const std::vector<bool>& latches);        // by latch number; as the resets allow
  void set_latches(const std::vector<bool>& latches);  // to any state
  void set_inputs(const std::vector<bool>& inputs);    // computes all gates of this step
  void step();                                         // latches take their next values
  bool value(Literal literal) const { return values_[literal.node()] != literal.complemented(); }
  std::vector<bool> latches() const;
  bool constraints_hold() const;
  // All of it, to come back to.
  const std::vector<bool>& values() const { return values_; }
  void restore(std::vector<bool> values) { values_ = std::move(values); }

 private:
  const System& system_;
  std::vector<bool> values_;
};

// Whether the run keeps the constraints and its last step shows the property.
bool shows(const System& system, const Run& run, uint32_t property);

}  // namespace heddle::circuit
