// Bounded model checking as a value that goes on frame by frame; see bmc.cc.
#pragma once

#include <cstdint>
#include <optional>

#include "symbolic/budget.h"
#include "symbolic/engine.h"
#include "symbolic/gate_solver.h"
#include "symbolic/unrolling.h"

namespace heddle::symbolic {

class BaseCase {
 public:
  BaseCase(const circuit::System& system, uint32_t property, const Limits& limits, Budget& budget);

  // Looks at so many more depths with one query. An answer if there is no need to go on.
  std::optional<Answer> look(uint32_t depths);
  uint32_t looked_at() const { return looked_at_; }  // depths

 private:
  Answer reached(uint32_t from);
  Answer gave_up();
  void keep(uint32_t from);
  std::optional<Answer> all_runs_ended();

  const circuit::System& system_;
  const uint32_t property_;
  const Limits& limits_;
  Budget& budget_;
  Unrolling unrolling_;
  GateSolver solver_;
  uint32_t looked_at_ = 0;
};

}  // namespace heddle::symbolic
