#include "circuit/aiger.h"

#include <gtest/gtest.h>

#include <sstream>

#include "circuit/fold.h"

namespace heddle::circuit {
namespace {

// Whether two steps with input x have x = latch, where the latch starts as `reset` says.
System small(Reset reset) {
  System system;
  const Literal x = system.aig.add_input("x");
  const Literal latch = system.aig.add_latch("seen", reset);
  system.aig.set_next(latch, x);
  system.properties.push_back({"twice", system.aig.land(x, latch)});
  return system;
}

TEST(Aiger, IsWhatTheFormatSays) {
  System system = small(Reset::One);
  std::ostringstream folded, whole;
  write_aiger(system, AigerVersion::V1_0, AigerNames::Written, folded);
  EXPECT_EQ(folded.str(),
            "aig 3 1 1 1 1\n2 1\n6\n\x02\x02"
            "i0 x\nl0 seen\no0 twice\n");
  system.constraints.push_back(Literal{3});
  write_aiger(system, AigerVersion::V1_9, AigerNames::Written, whole);
  EXPECT_EQ(whole.str(),
            "aig 3 1 1 0 1 1 1\n2 1\n6\n3\n\x02\x02"
            "i0 x\nl0 seen\nb0 twice\n");
}

TEST(Fold, KeepsRunsOfEveryReset) {
  for (const Reset reset : {Reset::Zero, Reset::One, Reset::Free}) {
    const System system = small(reset);
    const Folded folded = fold(system, 0);
    for (uint32_t i = 0; i < folded.system.aig.latches().size(); ++i)
      EXPECT_EQ(folded.system.aig.reset(i), Reset::Zero);
    std::vector<bool> first{true};
    if (reset == Reset::Free) first.push_back(true);
    const circuit::Run at_once{std::vector<bool>(folded.system.aig.latches().size()), {first}};
    EXPECT_EQ(shows(folded.system, at_once, 0), reset != Reset::Zero);
    EXPECT_EQ(shows(system, unfold(system, folded, at_once), 0), reset != Reset::Zero);
  }
}

// After a step that breaks a constraint nothing counts any more.
TEST(Fold, RemembersFailedConstraints) {
  System system = small(Reset::Zero);
  const Literal stop = system.aig.add_input("stop");
  system.constraints.push_back(!stop);
  const Folded folded = fold(system, 0);
  EXPECT_TRUE(folded.system.constraints.empty());
  const std::vector<bool> zero(folded.system.aig.latches().size());
  EXPECT_TRUE(shows(folded.system, {zero, {{true, false}, {true, false}}}, 0));
  EXPECT_FALSE(shows(folded.system, {zero, {{true, true}, {true, false}}}, 0));
  EXPECT_FALSE(shows(folded.system, {zero, {{true, false}, {true, true}}}, 0));
}

}  // namespace
}  // namespace heddle::circuit
