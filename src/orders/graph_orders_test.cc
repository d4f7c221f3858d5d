// Partial orders of program graphs against a search over all states.
#include "orders/graph_orders.h"

#include <gtest/gtest.h>

#include <set>

#include "explicit/check.h"
#include "explicit/graph_script.h"
#include "explicit/random_graphs.h"
#include "interpreter/graph_space.h"
#include "toy/sample_size.h"

namespace heddle::orders {
namespace {

using explicit_states::CheckOptions;
using explicit_states::RandomGraphOptions;
using explicit_states::Script;
using Bytes = std::vector<uint8_t>;

struct Seen {
  std::set<Bytes> finals, deadlocks;
  std::set<std::pair<FindingKind, uint64_t>> failures;
  friend bool operator==(const Seen&, const Seen&) = default;

  std::function<void(const uint8_t*, Outcome)> listener(StateSpace& space) {
    return [this, &space](const uint8_t* state, Outcome outcome) {
      Bytes memory;
      for (const auto& cell : space.layout().cells) {
        memory.insert(memory.end(), state + cell.bytes.offset,
                      state + cell.bytes.offset + cell.bytes.size);
      }
      if (outcome == Outcome::Ended) finals.insert(memory);
      if (outcome == Outcome::Running) deadlocks.insert(Bytes(state, state + space.state_size()));
      if (outcome == Outcome::Failed) {
        failures.insert({space.failure().kind, value(space.failure().pc)});
      }
    };
  }
  std::string text() const {
    return std::to_string(finals.size()) + " final states, " + std::to_string(deadlocks.size()) +
           " deadlocks, " + std::to_string(failures.size()) + " failures";
  }
};

Seen by_states(StateSpace& space) {
  Seen seen;
  CheckOptions options;
  options.keep_going = true;
  options.on_end = seen.listener(space);
  check(space, options);
  return seen;
}

// Program P of the paper, as a graph: 6 graphs, one for each result. Loads and stores are steps of
// their own there, so the statements that compute are atomic sections.
TEST(GraphOrders, ProgramP) {
  graph::Program program;
  const auto x = graph::add_global(program, "x", 8);
  std::vector<graph::Routine> threads;
  const auto add = [&](uint64_t value, auto compute) {
    Script script("t");
    script.store(x, script.number(value));
    const Script::Reg old = script.reg("old");
    const Script::Expr next = compute(script, script.value(old));
    const Script::Expr address = script.at(x);
    graph::Action& update = script.action(graph::ActionKind::AtomicUpdate);
    update.address = address;
    update.into = old;
    update.value = next;
    update.bits = 8;
    threads.push_back(script.take());
  };
  add(4, [](Script& s, Script::Expr x) { return s.add(x, s.number(3)); });
  add(2, [](Script& s, Script::Expr x) {
    return s.add(s.build().binary(graph::Operator::Mul, x, x), s.number(1));
  });
  GraphSpace space(explicit_states::with_main(std::move(program), std::move(threads)));
  Seen seen;
  OrdersOptions options;
  options.on_end = seen.listener(space);
  const GraphOrders result = run_graph_orders(space, options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(seen.finals, (std::set<Bytes>{{5}, {26}, {8}, {50}, {20}, {7}}));
  EXPECT_EQ(result.graphs - result.infeasible, 6U);
}

TEST(GraphOrders, SeesWhatASearchOverStatesSees) {
  uint64_t compared = 0, deadlocks = 0, failures = 0, infeasible = 0;
  for (uint64_t seed = 1; seed <= toy::sample_size(2000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomGraphOptions random;
    random.most_threads = seed % 4 == 0 ? 3 : 2;
    random.most_actions = seed % 4 == 0 ? 2 : 3;
    random.early_exit = seed % 8 == 1;
    random.loops = false;
    GraphSpace space(explicit_states::random_graph(seed, random));
    Seen seen;
    OrdersOptions options;
    options.on_end = seen.listener(space);
    options.most_graphs = 5000;
    const GraphOrders result = run_graph_orders(space, options);
    if (!result.complete) continue;
    ++compared;
    const Seen expected = by_states(space);
    EXPECT_EQ(seen, expected) << seen.text() << " instead of " << expected.text();
    EXPECT_FALSE(result.cut);
    deadlocks += expected.deadlocks.size();
    failures += expected.failures.size();
    infeasible += result.infeasible;
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, toy::sample_size(2000) / 3);
  EXPECT_GT(deadlocks, 10U);
  EXPECT_GT(failures, 10U);
  EXPECT_GT(infeasible, 100U);
}

// A loop that ends within the bound is as good as none; beyond it the result says so.
TEST(GraphOrders, LoopsUpToTheBound) {
  for (const uint32_t rounds : {2U, 5U}) {
    graph::Program program;
    const auto x = graph::add_global(program, "x", 8);
    std::vector<graph::Routine> threads;
    Script loop("loop");
    const Script::Reg reg = loop.reg("r");
    loop.begin_loop();
    loop.leave_loop_if(loop.equal(loop.value(reg), loop.number(rounds)));
    loop.assign(reg, loop.add(loop.value(reg), loop.number(1)));
    loop.atomic_add(x, 1);
    loop.end_loop();
    threads.push_back(loop.take());
    Script other("other");
    other.store(x, other.number(7));
    threads.push_back(other.take());
    GraphSpace space(explicit_states::with_main(std::move(program), std::move(threads)));
    Seen seen;
    OrdersOptions options;
    options.unwind = 3;
    options.on_end = seen.listener(space);
    const GraphOrders result = run_graph_orders(space, options);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.cut, rounds > options.unwind);
    if (!result.cut) {
      EXPECT_EQ(seen, by_states(space));
    }
  }
}

}  // namespace
}  // namespace heddle::orders
