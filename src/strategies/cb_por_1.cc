// Context-bounded partial-order reduction, basic algorithm.
//
// Problem. icb runs every execution within the bound, equivalent ones too. Pruning them with sleep
// sets is wrong: of a class of equivalent executions the sleep set may keep just one that is beyond
// the bound, and the class is lost although another of its executions is within (figure 1 of the
// paper; a test of ours).
//
// Idea (Musuvathi, Qadeer, "Partial-order reduction for context-bounded state exploration",
// MSR-TR-2007-12, algorithm 1). Give the bound to classes instead of executions: the context bound
// of a happens-before state is the least number of preemptions that lead to it. Search depth first
// through the states, and take a step t from s if CB(s, t) is within the bound and the state it
// leads to has not been visited. Although the context bound may drop along an execution, each state
// within the bound is reached by steps that all are (theorem 1), so none is missed.
//
// Where we deviate. After a yield or a sleep nobody is preempted. The alternatives of one action
// are steps of their own. Without --bound, bound follows bound, each search starting afresh (what
// is known of context bounds is kept).
//
// Guarantee. When bound c is done: every class of executions that has one with at most c
// preemptions was run to its end exactly once; so was every prefix of such a class whose own
// context bound is within c, which is why many executions are abandoned: they end where only
// visited states lie ahead. cb-por-2 avoids them. Memory grows with the number of states.
#include <memory>

#include "strategies/cb_por_search.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class CbPor1 final : public CbPorSearch {
 public:
  explicit CbPor1(int32_t bound) : CbPorSearch(StrategyId::cb_por_1, bound) {}

 private:
  void entered() override { closed_.insert(order_.hash()); }
  void reached_end(Ending) override { closed_.insert(order_.hash()); }
};

}  // namespace

std::unique_ptr<Strategy> make_cb_por_1(const RunOptions& options) {
  return std::make_unique<CbPor1>(options.bound);
}

}  // namespace heddle
