// The examples and figures of the paper, and random straight-line programs against enumeration.
#include "orders/six_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/random.h"
#include "orders/counts.h"
#include "orders/straight_line_orders.h"

namespace heddle::orders {
namespace {

constexpr VariableId X{0};
constexpr VariableId Y{1};
constexpr VariableId Z{2};

Statement set(VariableId variable, int64_t value) {
  return {.text = "", .reads = {}, .writes = {variable}, .run = [=](Memory& memory) {
            memory[index(variable)] = value;
          }};
}

Statement local() {
  return {.text = "", .reads = {}, .writes = {}, .run = [](Memory&) {}};
}

// to := 3 from + 1: of a pair of such statements the order shows in the result.
Statement move(VariableId from, VariableId to, int64_t add = 1) {
  return {.text = "", .reads = {from}, .writes = {to}, .run = [=](Memory& memory) {
            memory[index(to)] = (3 * memory[index(from)] + add) % 1000003;
          }};
}

StraightLineProgram program_of(std::vector<Thread> threads, uint32_t variables) {
  StraightLineProgram program;
  program.variables.resize(variables, "v");
  program.initial.assign(variables, 0);
  program.threads = std::move(threads);
  return program;
}

std::set<Memory> keys(const std::map<Memory, uint64_t>& finals) {
  std::set<Memory> result;
  for (const auto& [memory, times] : finals) result.insert(memory);
  return result;
}

// All interleavings of the statements, one by one.
void enumerate(const StraightLineProgram& program, std::vector<uint32_t>& at, const Memory& memory,
               std::set<Memory>& finals, uint64_t& count) {
  bool ended = true;
  for (uint32_t thread = 0; thread < program.threads.size(); ++thread) {
    if (at[thread] == program.threads[thread].statements.size()) continue;
    ended = false;
    Memory next = memory;
    program.threads[thread].statements[at[thread]].run(next);
    ++at[thread];
    enumerate(program, at, next, finals, count);
    --at[thread];
  }
  if (ended) {
    finals.insert(memory);
    ++count;
  }
}

std::set<Memory> enumerated(const StraightLineProgram& program, uint64_t* count = nullptr) {
  std::set<Memory> finals;
  std::vector<uint32_t> at(program.threads.size());
  uint64_t counted = 0;
  enumerate(program, at, program.initial, finals, counted);
  if (count != nullptr) *count = counted;
  return finals;
}

TEST(SixSteps, ProgramPHasItsSixResults) {
  const Statement add_three{
      .text = "x := x + 3", .reads = {X}, .writes = {X}, .run = [](Memory& m) { m[0] += 3; }};
  const Statement square{.text = "x := x*x + 1", .reads = {X}, .writes = {X}, .run = [](Memory& m) {
                           m[0] = m[0] * m[0] + 1;
                         }};
  const StraightLineProgram p = program_of({{{set(X, 4), add_three}}, {{set(X, 2), square}}}, 1);
  const OrdersResult result = six_steps(p);
  EXPECT_EQ(result.runs, 6U);
  EXPECT_EQ(keys(result.finals), (std::set<Memory>{{5}, {26}, {8}, {50}, {20}, {7}}));
  EXPECT_EQ(run_orders(p, ReadPairs::Unordered).finals, result.finals);
}

// Figures 6 to 9, table 2. 20 statements each, of which those shown touch e and f.
StraightLineProgram three_threads() {
  std::vector<Thread> threads(3);
  for (Thread& thread : threads) thread.statements.assign(20, local());
  threads[0].statements[9] = set(X, 1);
  threads[1].statements[9] = set(Y, 1);
  threads[2].statements[9] = set(X, 2);
  threads[2].statements[10] = set(Y, 2);
  return program_of(std::move(threads), 2);
}

TEST(SixSteps, ThreeThreads) {
  const StraightLineProgram program = three_threads();
  EXPECT_EQ(interleavings({20, 20, 20}).decimal(), "577831214478475823831865900");
  const std::vector<Block> blocks = minimum_block_list(program);
  ASSERT_EQ(blocks.size(), 4U);
  EXPECT_EQ(interleavings({1, 1, 2}), Natural(12));
  const OrdersResult result = six_steps(program);
  EXPECT_EQ(result.combinations, 4U);
  EXPECT_EQ(result.contradictory, 0U);
  EXPECT_EQ(keys(result.finals), (std::set<Memory>{{2, 2}, {2, 1}, {1, 2}, {1, 1}}));
  EXPECT_EQ(run_orders(program, ReadPairs::Unordered).finals, result.finals);
}

TEST(SixSteps, ContradictoryOrdersAreRejected) {
  const StraightLineProgram program = program_of({{{move(X, Y)}}, {{move(Y, X)}}}, 2);
  const OrdersResult result = six_steps(program);
  EXPECT_EQ(result.combinations, 4U);
  EXPECT_EQ(result.contradictory, 2U);
  EXPECT_EQ(result.runs, 2U);
  EXPECT_EQ(run_orders(program, ReadPairs::Unordered).runs, 2U);
}

TEST(SixSteps, TheBoundOfTheorem1IsNone) {
  for (const auto& [blocks, graphs, bound] :
       {std::tuple{3U, 20U, 18U}, std::tuple{10U, 184756U, 200U}}) {
    const AccessCounts counts{{blocks, blocks}};
    EXPECT_EQ(graphs_of_the_algorithm(counts), Natural(graphs));
    EXPECT_EQ(graphs_by_formula_5(counts), Natural(bound));
    EXPECT_NEAR(log10_theorem_1(2.0 * blocks, 1, 2), std::log10(bound), 1e-9);
  }
  std::vector<Thread> threads(2);
  for (Thread& thread : threads) thread.statements.assign(3, move(X, X));
  const StraightLineProgram program = program_of(std::move(threads), 1);
  EXPECT_EQ(six_steps(program).combinations, 20U);
  EXPECT_EQ(access_counts(program), (AccessCounts{{3, 3}}));
}

// Three threads that access three variables once each: six orders per variable.
TEST(SixSteps, MostCombinationsContradictEachOther) {
  const VariableId variables[3][3] = {{X, Y, Z}, {X, Z, Y}, {Y, Z, X}};
  std::vector<Thread> threads(3);
  for (uint32_t thread = 0; thread < 3; ++thread) {
    for (const VariableId variable : variables[thread]) {
      threads[thread].statements.push_back(move(variable, variable, thread + 1));
    }
  }
  const StraightLineProgram program = program_of(std::move(threads), 3);
  const OrdersResult result = six_steps(program);
  EXPECT_EQ(result.combinations, 216U);
  const OrdersResult better = run_orders(program, ReadPairs::Ordered);
  EXPECT_EQ(better.runs, result.runs);
  EXPECT_EQ(better.finals, result.finals);
  EXPECT_EQ(result.runs, 63U);
}

TEST(SixSteps, PairsOfReadsNeedNoOrder) {
  std::vector<Thread> threads(4);
  for (uint32_t i = 0; i < 4; ++i) threads[i].statements = {move(X, VariableId{i + 1})};
  const StraightLineProgram program = program_of(std::move(threads), 5);
  EXPECT_EQ(six_steps(program).runs, 24U);
  EXPECT_EQ(run_orders(program, ReadPairs::Ordered).runs, 24U);
  EXPECT_EQ(run_orders(program, ReadPairs::Unordered).runs, 1U);
}

StraightLineProgram random_program(Random& random) {
  const auto variables = static_cast<uint32_t>(1 + random.below(3));
  std::vector<Thread> threads(2 + random.below(2));
  for (Thread& thread : threads) {
    const uint64_t statements = random.below(threads.size() == 2 ? 5 : 4);
    for (uint64_t i = 0; i < statements; ++i) {
      const VariableId from{static_cast<uint32_t>(random.below(variables))};
      const VariableId to{static_cast<uint32_t>(random.below(variables))};
      const auto value = static_cast<int64_t>(1 + random.below(50));
      switch (random.below(4)) {
        case 0:
          thread.statements.push_back(set(to, value));
          break;
        case 1:
          thread.statements.push_back(local());
          break;
        default:
          thread.statements.push_back(move(from, to, value));
          break;
      }
    }
  }
  return program_of(std::move(threads), variables);
}

TEST(SixSteps, FinalStatesAreThoseOfAllInterleavings) {
  Random random(1);
  uint64_t combinations = 0;
  for (int round = 0; round < 500; ++round) {
    const StraightLineProgram program = random_program(random);
    std::vector<uint32_t> lengths;
    for (const Thread& thread : program.threads) lengths.push_back(thread.statements.size());
    uint64_t count = 0;
    const std::set<Memory> all = enumerated(program, &count);
    EXPECT_EQ(interleavings(lengths), Natural(count));
    const OrdersResult unordered = run_orders(program, ReadPairs::Unordered);
    EXPECT_EQ(keys(unordered.finals), all);
    // The graphs of the paper grow too fast for some of these.
    if (Natural(20000) < graphs_of_the_algorithm(access_counts(program))) continue;
    const OrdersResult paper = six_steps(program);
    combinations += paper.combinations;
    EXPECT_EQ(Natural(paper.combinations), graphs_of_the_algorithm(access_counts(program)));
    EXPECT_EQ(keys(paper.finals), all);
    EXPECT_EQ(run_orders(program, ReadPairs::Ordered).finals, paper.finals);
    EXPECT_LE(unordered.runs, paper.runs);
  }
  EXPECT_GT(combinations, 10000U);
}

}  // namespace
}  // namespace heddle::orders
