// Limits, refusals, stores, and the search by preemptions against a naive one.
#include "explicit/check.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "explicit/graph_script.h"
#include "explicit/random_graphs.h"
#include "interpreter/graph_space.h"
#include "toy/sample_size.h"

namespace heddle::explicit_states {
namespace {

using Bytes = std::vector<uint8_t>;

// Threads that count to 200 in variables of their own: 201 states each, and all combinations.
graph::Program counters(uint32_t threads, uint64_t up_to = 200) {
  graph::Program program;
  std::vector<graph::Routine> routines;
  for (uint32_t i = 0; i < threads; ++i) {
    const auto x = graph::add_global(program, "x" + std::to_string(i), 8);
    Script script("count" + std::to_string(i));
    const Script::Reg reg = script.reg("r");
    script.begin_loop();
    script.leave_loop_if(script.equal(script.value(reg), script.number(up_to)));
    script.assign(reg, script.add(script.value(reg), script.number(1)));
    script.store(x, script.value(reg));
    script.end_loop();
    routines.push_back(script.take());
  }
  return with_main(std::move(program), std::move(routines));
}

TEST(Check, TheMemoryLimitEndsTheSearchUndecided) {
  GraphSpace space(counters(3));
  for (const Storage storage : {Storage::Exact, Storage::HashCompact}) {
    for (const uint64_t megabytes : {3U, 5U, 8U}) {
      CheckOptions options;
      options.storage = storage;
      options.memory_limit = megabytes << 20;
      const CheckResult result = check(space, options);
      EXPECT_EQ(result.verdict, Verdict::Unknown);
      EXPECT_EQ(result.coverage.incomplete, Incomplete::Memory);
      EXPECT_EQ(result.reason, "the states need more memory than the limit of " +
                                   std::to_string(megabytes) + " MiB");
      // Tables that grow do not go beyond it either.
      EXPECT_LE(result.bytes, options.memory_limit);
      EXPECT_GT(result.bytes, options.memory_limit / 8);
    }
  }
}

TEST(Check, TheStateLimitAndTheCallerEndItToo) {
  GraphSpace space(counters(3));
  CheckOptions options;
  options.max_states = 1000;
  EXPECT_EQ(check(space, options).coverage.incomplete, Incomplete::StateLimit);
  options.max_states = ~uint64_t{0};
  options.stop = [] { return true; };
  EXPECT_EQ(check(space, options).coverage.incomplete, Incomplete::Stopped);
}

TEST(Check, AStateNeedsFewBytes) {
  GraphSpace space(counters(2));
  CheckOptions options;
  const CheckResult depth_first = check(space, options);
  EXPECT_EQ(depth_first.verdict, Verdict::Pass);
  EXPECT_GT(depth_first.states, 40000U);
  EXPECT_LE(depth_first.bytes, depth_first.states * 72);
  options.order = SearchOrder::BreadthFirst;
  const CheckResult breadth_first = check(space, options);
  EXPECT_EQ(breadth_first.states, depth_first.states);
  EXPECT_LE(breadth_first.bytes, breadth_first.states * 72);
}

TEST(Check, CombinationsThatAreNotSoundAreRefused) {
  CheckOptions options;
  EXPECT_FALSE(refusal(options));
  options.max_preemptions = 2;
  EXPECT_FALSE(refusal(options));
  options.reduction = ReductionKind::Stubborn;
  EXPECT_TRUE(refusal(options));
  options.max_preemptions.reset();
  EXPECT_FALSE(refusal(options));
  options.order = SearchOrder::BreadthFirst;
  options.storage = Storage::HashCompact;
  EXPECT_TRUE(refusal(options));
}

struct Node {
  Bytes state;
  uint32_t last;  // the thread that ran
  friend bool operator<(const Node& a, const Node& b) {
    return std::tie(a.state, a.last) < std::tie(b.state, b.last);
  }
};

// The fewest preemptions with which each state can be reached, by a search over states and the
// thread that ran last, without any of the tricks.
std::map<Bytes, uint32_t> fewest_preemptions(StateSpace& space, uint64_t most) {
  constexpr uint32_t kNobody = 0xffffffff;
  std::map<Node, uint32_t> best;
  std::deque<std::pair<Node, uint32_t>> queue;  // ordered by preemptions: 0 in front, 1 behind
  Node first{Bytes(space.state_size()), kNobody};
  if (space.initial(first.state.data()) != Outcome::Running) return {};
  queue.emplace_back(first, 0);
  std::vector<Move> moves;
  while (!queue.empty() && best.size() < most) {
    const auto [node, cost] = queue.front();
    queue.pop_front();
    if (!best.emplace(node, cost).second) continue;
    space.moves(node.state.data(), moves);
    const bool could = std::any_of(moves.begin(), moves.end(),
                                   [&](Move move) { return move.thread == node.last; });
    for (const Move move : std::vector<Move>(moves)) {
      const bool yields =
          space.next_action(node.state.data(), move.thread).kind == graph::ActionKind::Yield;
      Node next{Bytes(space.state_size()), yields ? kNobody : move.thread};
      if (space.take(node.state.data(), move, next.state.data()) != Outcome::Running) continue;
      if (could && move.thread != node.last) {
        queue.emplace_back(next, cost + 1);
      } else {
        queue.emplace_front(next, cost);
      }
    }
  }
  if (best.size() >= most) return {};
  std::map<Bytes, uint32_t> fewest;
  for (const auto& [node, cost] : best) {
    const auto [at, is_new] = fewest.emplace(node.state, cost);
    if (!is_new) at->second = std::min(at->second, cost);
  }
  return fewest;
}

uint32_t preemptions_of(StateSpace& space, const std::vector<Move>& path) {
  Bytes state(space.state_size());
  space.initial(state.data());
  std::vector<Move> moves;
  uint32_t count = 0;
  uint32_t last = 0xffffffff;
  for (const Move move : path) {
    space.moves(state.data(), moves);
    const bool could =
        std::any_of(moves.begin(), moves.end(), [&](Move m) { return m.thread == last; });
    if (could && move.thread != last) ++count;
    const bool yields =
        space.next_action(state.data(), move.thread).kind == graph::ActionKind::Yield;
    last = yields ? 0xffffffff : move.thread;
    space.take(state.data(), move, state.data());
  }
  return count;
}

TEST(ContextBounded, EachBoundHasItsStates) {
  uint64_t most_preemptions = 0;
  for (uint64_t seed = 1; seed <= toy::sample_size(400); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    GraphSpace space(random_graph(seed));
    const std::map<Bytes, uint32_t> fewest = fewest_preemptions(space, 3000);
    if (fewest.empty()) continue;
    CheckOptions options;
    options.max_preemptions = 1000;
    options.keep_going = true;
    const CheckResult result = check(space, options);
    EXPECT_TRUE(result.coverage.all_preemptions);
    EXPECT_EQ(result.states, fewest.size());
    for (uint32_t bound = 0; bound < result.states_by_preemptions.size(); ++bound) {
      const auto within = std::count_if(fewest.begin(), fewest.end(),
                                        [&](const auto& state) { return state.second <= bound; });
      EXPECT_EQ(result.states_by_preemptions[bound], static_cast<uint64_t>(within));
    }
    for (const CheckFinding& finding : result.findings) {
      EXPECT_EQ(preemptions_of(space, finding.path), finding.preemptions);
    }
    most_preemptions = std::max<uint64_t>(most_preemptions, result.states_by_preemptions.size());
  }
  EXPECT_GT(most_preemptions, 3U);
}

}  // namespace
}  // namespace heddle::explicit_states
