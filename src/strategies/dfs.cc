// Depth-first search.
//
// Problem. A program with given input is a tree: its nodes are configurations, its edges the
// transitions enabled there, its leaves the ends of executions. See them all.
//
// Idea. Keep the path of the last execution and, for each of its nodes, the transitions not yet
// tried. The next execution repeats the path up to the deepest node that has one left, takes that
// one, and below it always the first transition. This is stateless search (Godefroid, "Model
// checking for programming languages using VeriSoft", POPL 1997, section 3): no state is stored,
// so a node that two schedules reach is visited twice.
//
// The first transition is that of the thread which ran last, so that the first execution switches
// threads only where it must; the others follow in order of their id (transition_order.h has the
// exception made for yields). The alternatives of one action (which waiter a signal wakes) are
// edges like any other.
//
// Guarantee. When it ends, every execution has been run exactly once. Before that, nothing useful:
// the search is stuck for long in the last steps of the first execution, which is why icb is the
// default. Memory is proportional to the longest execution, whatever the number of executions.
//
// In the terms of bounded_search.h: no transition costs anything.
//
// No reduction is applied. This strategy is the yardstick by which others are counted.
#include <memory>

#include "strategies/bounded_search.h"
#include "strategies/frontier.h"
#include "strategies/strategy_table.h"
#include "strategies/transition_order.h"

namespace heddle {
namespace {

class Dfs final : public BoundedSearch {
 public:
  Dfs() : BoundedSearch(StrategyId::dfs, -1, {"", ""}) {}

  Transition choose(const Configuration& configuration) override {
    for_each_transition(configuration, [&](Transition t) { try_now(t); });
    return go_on(incumbent(configuration));
  }

  int bound() const override { return -1; }
  Share share() const override { return share_of_path(); }

  std::string guarantee() const override {
    if (!exhausted()) return "";
    return gaps().lost ? "all executions, except where the program did not repeat itself"
                       : "all executions";
  }
};

}  // namespace

std::unique_ptr<Strategy> make_dfs(const RunOptions& options) {
  if (wants_frontier(options)) return make_frontier_search(options, FrontierKind::ByOrder);
  return std::make_unique<Dfs>();
}

}  // namespace heddle
