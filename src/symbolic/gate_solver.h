// A SAT solver (CaDiCaL) that is asked about literals of an and-inverter graph.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "circuit/aig.h"
#include "symbolic/budget.h"

namespace CaDiCaL {
class Solver;
}

namespace heddle::symbolic {

enum class Sat : uint8_t { Satisfiable, Unsatisfiable, Undecided };

class GateSolver {
 public:
  // The graph may grow between calls.
  GateSolver(const circuit::Aig& aig, Budget& budget);
  ~GateSolver();
  GateSolver(const GateSolver&) = delete;
  GateSolver& operator=(const GateSolver&) = delete;

  void require(circuit::Literal literal);  // from now on
  void require_one_of(std::span<const circuit::Literal> literals);
  // Whether what is required can be met together with this. At most so many conflicts; 0: any.
  Sat solve(circuit::Literal assumption, uint32_t conflicts = 0);
  // After Satisfiable. A node that nothing asked for depends on has no value: false.
  bool value(circuit::Literal literal) const;
  // The constant that a literal is known to be, by all that was required and learnt; or itself.
  circuit::Literal simplified(circuit::Literal literal) const;

 private:
  class BudgetTerminator;

  int encoded(circuit::Literal literal);  // the solver's literal, with its clauses
  int literal_of(circuit::Literal literal) const;
  void encode_gate(uint32_t node);
  bool encode_multiplexer(uint32_t node);
  void clause(std::initializer_list<int> literals);

  const circuit::Aig& aig_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::unique_ptr<BudgetTerminator> terminator_;
  std::vector<bool> known_;     // by node: has its clauses
  std::vector<uint32_t> open_;  // nodes that wait for theirs
};

}  // namespace heddle::symbolic
