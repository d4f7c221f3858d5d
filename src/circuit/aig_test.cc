#include "circuit/aig.h"

#include <gtest/gtest.h>

namespace heddle::circuit {
namespace {

TEST(Aig, EqualGatesAreOneNode) {
  Aig aig;
  const Literal a = aig.add_input("a"), b = aig.add_input("b");
  EXPECT_EQ(aig.land(a, b), aig.land(b, a));
  EXPECT_EQ(aig.land(a, !a), kFalse);
  EXPECT_EQ(aig.lor(a, !a), kTrue);
  EXPECT_EQ(aig.lxor(a, b), aig.lxor(b, a));
  EXPECT_EQ(aig.mux(a, b, b), b);
  EXPECT_EQ(aig.land(std::vector<Literal>{}), kTrue);
}

// A counter of two bits that may pause: it is 3 after three steps that count, not earlier.
TEST(Simulation, CountsSteps) {
  System system;
  Aig& aig = system.aig;
  const Literal pause = aig.add_input("pause");
  const Literal low = aig.add_latch("low"), high = aig.add_latch("high");
  aig.set_next(low, aig.lxor(low, !pause));
  aig.set_next(high, aig.lxor(high, aig.land(low, !pause)));
  system.properties.push_back({"three", aig.land(low, high)});
  const std::vector<bool> zero{false, false};
  EXPECT_TRUE(shows(system, {zero, {{false}, {false}, {false}, {false}}}, 0));
  EXPECT_FALSE(shows(system, {zero, {{false}, {false}, {false}}}, 0));
  EXPECT_FALSE(shows(system, {zero, {{false}, {true}, {false}, {false}}}, 0));
  system.constraints.push_back(!pause);
  EXPECT_FALSE(shows(system, {zero, {{false}, {true}, {false}, {false}, {false}}}, 0));
}

}  // namespace
}  // namespace heddle::circuit
