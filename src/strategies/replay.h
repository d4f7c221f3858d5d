// Runs one known schedule again.
#pragma once

#include <cstdint>
#include <memory>

#include "explore/strategy.h"
#include "model/schedule.h"

namespace heddle {

// `preemptions` is the number that was recorded with the schedule; the schedule alone does not
// tell it.
std::unique_ptr<Strategy> make_replay(Schedule schedule, uint32_t preemptions);

}  // namespace heddle
