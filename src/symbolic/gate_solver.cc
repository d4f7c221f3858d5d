// From gates to clauses (Tseitin 1968): a variable for each gate that something asked for depends
// on, and clauses that say what the gate computes. Two ANDs below an AND that together are a
// multiplexer or an exclusive or (most gates of a program's circuit are) become one gate of six
// clauses, without variables for the two. The variable of a node is its number plus one.
//
// CaDiCaL removes variables while it simplifies and restores their clauses when a later one
// mentions them, so that nothing need be frozen here.
#include "symbolic/gate_solver.h"

#include <cadical.hpp>
#include <initializer_list>

namespace heddle::symbolic {

using circuit::Literal;
using circuit::NodeKind;

class GateSolver::BudgetTerminator final : public CaDiCaL::Terminator {
 public:
  explicit BudgetTerminator(Budget& budget) : budget_(budget) {}
  bool terminate() override { return budget_.spent(); }

 private:
  Budget& budget_;
};

GateSolver::GateSolver(const circuit::Aig& aig, Budget& budget)
    : aig_(aig),
      solver_(std::make_unique<CaDiCaL::Solver>()),
      terminator_(std::make_unique<BudgetTerminator>(budget)) {
  solver_->set("quiet", 1);
  solver_->connect_terminator(terminator_.get());
}

GateSolver::~GateSolver() {
  solver_->disconnect_terminator();
}

void GateSolver::clause(std::initializer_list<int> literals) {
  for (int literal : literals) solver_->add(literal);
  solver_->add(0);
}

int GateSolver::literal_of(Literal literal) const {
  const int variable = static_cast<int>(literal.node()) + 1;
  return literal.complemented() ? -variable : variable;
}

int GateSolver::encoded(Literal literal) {
  known_.resize(aig_.node_count());
  open_.push_back(literal.node());
  while (!open_.empty()) {
    const uint32_t node = open_.back();
    open_.pop_back();
    if (known_[node]) continue;
    known_[node] = true;
    if (aig_.kind(node) == NodeKind::Constant) clause({-1});
    if (aig_.kind(node) == NodeKind::And) encode_gate(node);
  }
  return literal_of(literal);
}

void GateSolver::encode_gate(uint32_t node) {
  if (encode_multiplexer(node)) return;
  const int gate = literal_of({node << 1});
  const int left = literal_of(aig_.left(node)), right = literal_of(aig_.right(node));
  clause({-gate, left});
  clause({-gate, right});
  clause({gate, -left, -right});
  open_.push_back(aig_.left(node).node());
  open_.push_back(aig_.right(node).node());
}

// !(c & a) & !(!c & b): the complement of a where c holds, and of b where it does not.
bool GateSolver::encode_multiplexer(uint32_t node) {
  const Literal one = aig_.left(node), other = aig_.right(node);
  if (!one.complemented() || !other.complemented() || aig_.kind(one.node()) != NodeKind::And ||
      aig_.kind(other.node()) != NodeKind::And)
    return false;
  const Literal first[] = {aig_.left(one.node()), aig_.right(one.node())};
  const Literal second[] = {aig_.left(other.node()), aig_.right(other.node())};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      if (first[i] != !second[j]) continue;
      const int gate = literal_of({node << 1}), c = literal_of(first[i]);
      const int a = literal_of(first[1 - i]), b = literal_of(second[1 - j]);
      clause({-gate, -c, -a});
      clause({gate, -c, a});
      clause({-gate, c, -b});
      clause({gate, c, b});
      if (a != -b) {  // nothing new where it is an exclusive or
        clause({-gate, -a, -b});
        clause({gate, a, b});
      }
      for (Literal each : {first[i], first[1 - i], second[1 - j]}) open_.push_back(each.node());
      return true;
    }
  }
  return false;
}

void GateSolver::require(Literal literal) {
  clause({encoded(literal)});
}

void GateSolver::require_one_of(std::span<const Literal> literals) {
  std::vector<int> codes;
  for (const Literal each : literals) {
    if (each == circuit::kTrue) return;
    if (each != circuit::kFalse) codes.push_back(encoded(each));
  }
  for (const int code : codes) solver_->add(code);
  solver_->add(0);
}

Sat GateSolver::solve(Literal assumption, uint32_t conflicts) {
  solver_->assume(encoded(assumption));
  if (conflicts > 0) solver_->limit("conflicts", static_cast<int>(conflicts));
  switch (solver_->solve()) {
    case 10:
      return Sat::Satisfiable;
    case 20:
      return Sat::Unsatisfiable;
    default:
      return Sat::Undecided;
  }
}

bool GateSolver::value(Literal literal) const {
  if (literal.node() >= known_.size() || !known_[literal.node()]) return literal.complemented();
  return (solver_->val(literal_of({literal.node() << 1})) > 0) != literal.complemented();
}

Literal GateSolver::simplified(Literal literal) const {
  if (literal.node() >= known_.size() || !known_[literal.node()]) return literal;
  const int fixed = solver_->fixed(literal_of(literal));  // 1, 0 or -1
  return fixed == 0 ? literal : circuit::constant(fixed > 0);
}

}  // namespace heddle::symbolic
