// Small random systems, for tests. The same seed gives the same system.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "circuit/aig.h"

namespace heddle::symbolic {

// A few latches and inputs, gates at random, and often a counter, so that bad may lie deep; some
// systems have constraints, free reset values, or no inputs at all.
inline circuit::System random_system(uint64_t seed) {
  using circuit::Literal;
  Random random(seed);
  circuit::System system;
  circuit::Aig& aig = system.aig;
  std::vector<Literal> latches, pool{circuit::kTrue};
  const uint64_t inputs = random.below(4), count = 1 + random.below(7);
  for (uint64_t i = 0; i < inputs; ++i) pool.push_back(aig.add_input("i" + std::to_string(i)));
  for (uint64_t i = 0; i < count; ++i) {
    const circuit::Reset resets[] = {circuit::Reset::Zero, circuit::Reset::Zero,
                                     circuit::Reset::One, circuit::Reset::Free};
    latches.push_back(aig.add_latch("l" + std::to_string(i), resets[random.below(4)]));
    pool.push_back(latches.back());
  }
  const auto any = [&] {
    const Literal literal = pool[random.below(pool.size())];
    return random.below(2) == 0 ? literal : !literal;
  };
  const uint64_t gates = 3 + random.below(25);
  for (uint64_t i = 0; i < gates; ++i) {
    const uint64_t kind = random.below(4);
    const Literal a = any(), b = any(), c = any();
    pool.push_back(kind == 0 ? aig.lxor(a, b) : kind == 1 ? aig.mux(a, b, c) : aig.land(a, b));
  }
  for (Literal latch : latches) aig.set_next(latch, any());
  if (random.below(2) == 0) {  // a counter that some condition lets go on
    Literal carry = any();
    for (Literal latch : latches) {
      aig.set_next(latch, aig.lxor(latch, carry));
      carry = aig.land(carry, latch);
    }
  }
  const uint64_t constraints = random.below(3) == 0 ? 1 + random.below(2) : 0;
  for (uint64_t i = 0; i < constraints; ++i)
    system.constraints.push_back(aig.lor(any(), aig.lor(any(), any())));
  Literal bad = aig.land(any(), aig.land(any(), any()));
  for (Literal latch : latches)
    if (random.below(2) == 0) bad = aig.land(bad, random.below(2) == 0 ? latch : !latch);
  system.properties.push_back({"bad", bad});
  return system;
}

}  // namespace heddle::symbolic
