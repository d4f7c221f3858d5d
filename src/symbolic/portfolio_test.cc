#include "symbolic/portfolio.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "circuit/words.h"
#include "symbolic/all_states.h"
#include "symbolic/process.h"
#include "symbolic/random_systems.h"

namespace heddle::symbolic {
namespace {

// A counter of so many bits that an input lets go on, which is bad once all are set.
circuit::System counter(uint32_t bits) {
  circuit::System system;
  circuit::Aig& aig = system.aig;
  circuit::Literal carry = aig.add_input("go");
  std::vector<circuit::Literal> latches;
  for (uint32_t i = 0; i < bits; ++i) latches.push_back(aig.add_latch("bit"));
  for (circuit::Literal latch : latches) {
    aig.set_next(latch, aig.lxor(latch, carry));
    carry = aig.land(carry, latch);
  }
  system.properties.push_back({"full", aig.land(latches)});
  return system;
}

// Nobody can tell within our lifetime.
circuit::System endless() {
  return counter(60);
}

void expect_no_children() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Portfolio, AgreesWithAllStates) {
  for (uint64_t seed = 1000; seed < 1030; ++seed) {
    SCOPED_TRACE(seed);
    const circuit::System system = random_system(seed);
    const AllStates truth = all_states(system, 0);
    const PortfolioAnswer found = check_portfolio(all_engines(system, 0), {});
    EXPECT_FALSE(found.answer.engine.empty());
    if (truth.depth) {
      ASSERT_EQ(found.answer.verdict, Verdict::Reached) << found.answer.reason;
      EXPECT_TRUE(circuit::shows(system, found.answer.run, 0));
    } else {
      EXPECT_EQ(found.answer.verdict, Verdict::Proved) << found.answer.reason;
    }
    expect_no_children();
  }
}

TEST(Portfolio, TellsHowFarItCameWithinTheTime) {
  const circuit::System system = endless();
  Limits limits;
  limits.seconds = 2.5;
  const Answer answer = check_portfolio(all_engines(system, 0), limits).answer;
  EXPECT_EQ(answer.verdict, Verdict::Bounded);
  EXPECT_GT(answer.depth, 0U);
  EXPECT_EQ(answer.reason, "the time limit was reached");
  expect_no_children();
}

TEST(Portfolio, StopsAtADepth) {
  const circuit::System system = endless();
  Limits limits;
  limits.depth = 7;
  const Entry entries[] = {{EngineKind::Bmc, &system, 0}, {EngineKind::Bdd, &system, 0}};
  const Answer answer = check_portfolio(entries, limits).answer;
  EXPECT_EQ(answer.verdict, Verdict::Bounded);
  EXPECT_EQ(answer.depth, 7U);
}

TEST(Engines, StopWhenTheyAreTold) {
  const circuit::System system = endless();
  for (const Engine& engine : engines()) {
    SCOPED_TRACE(engine.name);
    std::atomic<bool> stop = false;
    Limits limits;
    limits.stop = &stop;
    if (engine.kind == EngineKind::BmcOnce) limits.depth = 100000;
    std::thread later([&stop] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      stop = true;
    });
    const Answer answer = engine.check(system, 0, limits);
    later.join();
    EXPECT_TRUE(answer.verdict == Verdict::Bounded || answer.verdict == Verdict::Unknown);
    EXPECT_EQ(answer.reason, "it was stopped");
    expect_no_children();
  }
}

// Factors of a prime number: large as diagrams, and no small matter as clauses.
circuit::System factors() {
  circuit::System system;
  circuit::Aig& aig = system.aig;
  const circuit::Word a = circuit::latch_word(aig, "a", 16, 1);
  const circuit::Word b = circuit::input_word(aig, "b", 16);
  for (uint32_t i = 0; i < 16; ++i) aig.set_next(a[i], aig.lxor(a[i], b[i]));
  const circuit::Word product = circuit::apply(aig, graph::Operator::Mul, 32, 32,
                                               circuit::resized(a, 32), circuit::resized(b, 32));
  system.properties.push_back({"factors", circuit::equal(aig, product, 4294967291)});
  return system;
}

TEST(Engines, KeepToTheMemory) {
  const circuit::System system = factors();
  for (const EngineKind kind : {EngineKind::Bmc, EngineKind::Bdd}) {
    Limits limits;
    limits.memory = 1 << 20;
    limits.seconds = 60;
    const Answer answer = engine(kind).check(system, 0, limits);
    EXPECT_EQ(answer.reason, "the memory limit was reached") << engine(kind).name;
  }
}

// Whether any process of the group is alive.
bool group_lives(pid_t group) {
  return kill(-group, 0) == 0;
}

// Ctrl-C reaches a group; a kill only the parent: the kernel then ends the rest, ABC included.
TEST(Portfolio, LeavesNobodyBehind) {
  for (const int signal : {SIGINT, SIGKILL}) {
    const pid_t parent = fork();
    if (parent == 0) {
      setpgid(0, 0);
      const circuit::System system = endless();
      const Entry entries[] = {{EngineKind::Bmc, &system, 0},
                               {EngineKind::Pdr, &system, 0},
                               {EngineKind::Bdd, &system, 0}};
      Limits limits;
      limits.seconds = 60;
      check_portfolio(entries, limits);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    kill(parent, signal);
    int status = 0;
    waitpid(parent, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    for (int i = 0; i < 200 && group_lives(parent); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(group_lives(parent));
  }
}

}  // namespace
}  // namespace heddle::symbolic
