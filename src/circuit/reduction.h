// Conditional stubborn sets and lock-pattern transactions as constraints on the scheduler's inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/step_encoder.h"

namespace heddle::circuit {

enum class ScheduleReduction : uint8_t {
  None,
  Stubborn,      // a thread is put off if nobody selected can be disturbed by it, now or later
  Transactions,  // and those who would need a lock that the selected one holds do not count
};

// For each slot: it may be scheduled. `able`: by slot; `quiet`: nobody is in the middle of a step
// or keeps the others out.
std::vector<Literal> reduce_schedules(Encoding& encoding, std::vector<StepEncoder>& steps,
                                      const std::vector<Literal>& able, Literal quiet,
                                      ScheduleReduction reduction);

}  // namespace heddle::circuit
