// k-induction (Sheeran, Singh, Stålmarck, "Checking safety properties using induction and a
// SAT-solver", FMCAD 2000): bad is excluded for runs of up to k steps by bounded model checking
// (bmc.cc). If furthermore no path of k+1 states that do not show bad, from any state whatever,
// leads to one that does, bad is never reached.
//
// Alone this does not prove everything: a path may go around a cycle of unreachable states for as
// long as it likes. Paths without repeated states suffice, because one with a repetition could be
// cut short; with that restriction k never needs to exceed the longest such path, so that the
// method is complete. Most pairs of states differ anyway: the restriction is added only for those
// pairs of frames that a satisfying path has shown to be equal (Eén, Sörensson 2003, section 4).
#include <vector>

#include "symbolic/base_case.h"

namespace heddle::symbolic {
namespace {

using circuit::Literal;

// Paths from anywhere on which bad does not hold before their last state.
class StepCase {
 public:
  StepCase(const circuit::System& system, uint32_t property, Budget& budget)
      : bad_(system.properties[property].bad),
        unrolling_(system, property, Start::Anywhere),
        solver_(unrolling_.aig(), budget) {}

  // Unsatisfiable: no path without repetition has one state more than before and ends badly.
  Sat look_further() {
    unrolling_.extend();
    const uint32_t last = unrolling_.frames() - 1;
    solver_.require(unrolling_.constraints(last));
    if (last > 0) solver_.require(!unrolling_.at(last - 1, bad_));
    for (;;) {
      const Sat sat = solver_.solve(unrolling_.at(last, bad_));
      if (sat != Sat::Satisfiable || !exclude_repetition()) return sat;
    }
  }

 private:
  // Whether the path that the solver found has equal states; the first two may not be any more.
  bool exclude_repetition() {
    const std::vector<bool> values = all_values();
    const auto same = [&](uint32_t one, uint32_t other) {
      const std::vector<Literal>&a = unrolling_.state(one), &b = unrolling_.state(other);
      for (size_t i = 0; i < a.size(); ++i)
        if ((values[a[i].node()] != a[i].complemented()) !=
            (values[b[i].node()] != b[i].complemented()))
          return false;
      return true;
    };
    for (uint32_t one = 0; one < unrolling_.frames(); ++one) {
      for (uint32_t other = one + 1; other < unrolling_.frames(); ++other) {
        if (!same(one, other)) continue;
        solver_.require(unrolling_.differ(one, other));
        return true;
      }
    }
    return false;
  }

  // Of all nodes, also those that the solver does not know of.
  std::vector<bool> all_values() const {
    const circuit::Aig& aig = unrolling_.aig();
    std::vector<bool> values(aig.node_count());
    const auto value = [&](Literal of) { return values[of.node()] != of.complemented(); };
    for (uint32_t node = 1; node < aig.node_count(); ++node) {
      if (aig.kind(node) == circuit::NodeKind::Input) values[node] = solver_.value({node << 1});
      if (aig.kind(node) == circuit::NodeKind::And)
        values[node] = value(aig.left(node)) && value(aig.right(node));
    }
    return values;
  }

  const Literal bad_;
  Unrolling unrolling_;
  GateSolver solver_;
};

}  // namespace

Answer check_induction(const circuit::System& system, uint32_t property, const Limits& limits) {
  Budget budget(limits);
  BaseCase base(system, property, limits, budget);
  StepCase step(system, property, budget);
  for (uint32_t k = 0;; ++k) {
    if (std::optional<Answer> answer = base.look(1)) return *answer;
    const Sat sat = step.look_further();
    if (sat == Sat::Unsatisfiable)
      return {Verdict::Proved, 0, "by induction over " + std::to_string(k + 1) + " steps", "", {}};
    if (sat == Sat::Undecided) return bounded(k, budget.reason());
    if (k == limits.depth) return bounded(k, "the depth limit was reached");
  }
}

}  // namespace heddle::symbolic
