// A schedule is a value: the list of transitions taken from the initial state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace heddle {

// One step of a schedule: which thread moves and, where its action leaves something open (which
// waiter a signal wakes, a value asked of the environment), which of the alternatives is taken.
struct Transition {
  ThreadId thread = kMainThread;
  uint32_t choice = 0;
  friend bool operator==(const Transition&, const Transition&) = default;
};
inline constexpr Transition kNoTransition{kNoThread, 0};

using Schedule = std::vector<Transition>;

// "0*3 1 2/1 0": thread, "/choice" unless 0, "*count" for runs.
std::string to_string(const Schedule& schedule);
// False on malformed text; `schedule` then holds what was read before the error.
bool parse_schedule(std::string_view text, Schedule& schedule);

}  // namespace heddle
