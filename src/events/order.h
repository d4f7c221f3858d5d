// Which write each read reads from, and in which order events take place.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "events/event.h"
#include "symbolic/gate_solver.h"

namespace heddle::events {

class Order {
 public:
  Order(EventProgram& program, symbolic::GateSolver& solver) : p_(program), solver_(solver) {}

  // Requires all that relates events to each other.
  void encode();

  // As GateSolver::solve, of executions whose order has no cycle.
  symbolic::Sat solve(Literal assumption);

  // After Satisfiable: the events that take place, in an order that they can have.
  std::vector<uint32_t> linear() const;

  uint32_t pairs() const { return static_cast<uint32_t>(pairs_.size()); }
  uint32_t cycles() const { return static_cast<uint32_t>(excluded_.size()); }
  uint32_t calls() const { return calls_; }

 private:
  struct Use {
    uint32_t event = 0;
    const Access* access = nullptr;
  };
  struct Pair {
    uint32_t a = 0, b = 0;  // a < b
    Literal first;          // a comes first
  };
  struct Edge {
    uint32_t to = 0;
    Literal why = circuit::kTrue;  // it holds in the solver's assignment
  };
  using Edges = std::vector<std::vector<Edge>>;  // by event

  Literal order(uint32_t a, uint32_t b);
  void encode_cell(uint32_t cell, const std::vector<Use>& uses);
  void encode_read(uint32_t cell, const Use& read, const std::vector<Use>& writes);
  bool may_read(const Use& read, const Use& write, const std::vector<Use>& writes);
  bool is_hidden(const Use& read, uint32_t source, const std::vector<Use>& writes);
  bool sure(Literal when, Literal also);
  const std::set<uint32_t>& conjuncts(Literal literal);
  bool bind(Literal source, const Word& seen, const Word& stored);

  Edges edges() const;
  bool takes_place(uint32_t event) const { return solver_.value(p_.events[event].taken); }
  // False: there was none.
  bool exclude_cycles();
  bool exclude_cycle(const Edges& edges, const std::vector<uint32_t>& component, const Edge& edge,
                     uint32_t from);
  std::vector<uint32_t> components(const Edges& edges) const;

  EventProgram& p_;
  symbolic::GateSolver& solver_;
  std::vector<Pair> pairs_;
  std::map<std::pair<uint32_t, uint32_t>, Literal> known_;
  std::map<uint32_t, std::set<uint32_t>> conjuncts_;
  std::set<std::vector<uint32_t>> excluded_;
  uint32_t calls_ = 0;
};

}  // namespace heddle::events
