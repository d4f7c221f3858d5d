#include "report/causality.h"

#include <gtest/gtest.h>

#include "model/dependence.h"

namespace heddle {
namespace {

using Edges = std::vector<std::vector<uint32_t>>;

TraceStep step(Op op, uint32_t thread, uint64_t object = 0, uint32_t size = 0) {
  TraceStep s;
  s.action.op = op;
  s.action.thread = ThreadId{thread};
  s.action.object = Address{object};
  s.action.size = size;
  return s;
}

TEST(Causality, LeavesOutWhatFollows) {
  std::vector<TraceStep> steps = {step(Op::ThreadCreate, 0, 1), step(Op::Write, 0, 64, 4),
                                  step(Op::MutexLock, 0, 16),   step(Op::MutexUnlock, 0, 16),
                                  step(Op::ThreadStart, 1),     step(Op::MutexLock, 1, 16),
                                  step(Op::Read, 1, 64, 4),     step(Op::AtomicStore, 1, 68, 4)};
  EXPECT_EQ(happens_before_edges(steps), (Edges{{}, {}, {}, {}, {0}, {3}, {}, {}}));
}

TEST(Causality, NeighboursInMemoryDoNotMeet) {
  std::vector<TraceStep> steps = {step(Op::Write, 0, 64, 4), step(Op::Write, 1, 68, 4),
                                  step(Op::Read, 1, 66, 4), step(Op::Read, 0, 64, 8)};
  EXPECT_EQ(happens_before_edges(steps), (Edges{{}, {}, {0}, {1}}));
}

TEST(Causality, ASignalComesBeforeTheOneItWakes) {
  std::vector<TraceStep> steps = {step(Op::CondWait, 1, 32), step(Op::CondWait, 2, 32),
                                  step(Op::CondSignal, 0, 32), step(Op::CondRelock, 2, 16)};
  steps[0].action.second = steps[1].action.second = Address{16};
  steps[2].choice = 1;  // the second of the waiters
  EXPECT_EQ(happens_before_edges(steps), (Edges{{}, {0}, {1}, {2}}));
}

// Against the definition: the transitive closure of program order and dependence.
TEST(Causality, AgreesWithTheDefinition) {
  uint64_t random = 12345;
  auto draw = [&](uint64_t below) {
    random = random * 6364136223846793005 + 1442695040888963407;
    return (random >> 33) % below;
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<TraceStep> steps;
    for (int i = 0; i < 25; ++i) {
      constexpr Op kOps[] = {Op::Read, Op::Write, Op::MutexLock, Op::AtomicRmw, Op::Yield};
      steps.push_back(step(kOps[draw(5)], static_cast<uint32_t>(draw(4)), 64 + 2 * draw(6),
                           static_cast<uint32_t>(1 + draw(4))));
    }
    Edges edges = happens_before_edges(steps);
    size_t n = steps.size();
    std::vector<std::vector<bool>> wanted(n, std::vector<bool>(n)), got = wanted;
    for (size_t i = 0; i < n; ++i) {
      for (uint32_t before : edges[i]) got[before][i] = true;
      for (size_t j = 0; j < i; ++j) {
        bool same = steps[i].action.thread == steps[j].action.thread;
        if (same) got[j][i] = true;
        wanted[j][i] = same || dependent(steps[j].action, steps[i].action);
      }
    }
    for (auto* closure : {&wanted, &got})
      for (size_t k = 0; k < n; ++k)
        for (size_t i = 0; i < n; ++i)
          for (size_t j = 0; j < n; ++j)
            if ((*closure)[i][k] && (*closure)[k][j]) (*closure)[i][j] = true;
    EXPECT_EQ(got, wanted) << "round " << round;
  }
}

}  // namespace
}  // namespace heddle
