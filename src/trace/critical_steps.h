// Which steps of a failing execution may be to blame for it, and how to put that to the test.
#pragma once

#include <optional>
#include <vector>

#include "trace/trace.h"

namespace heddle {

struct Suspect {
  CriticalSteps critical;
  // The same execution with these steps in another order, as far as the program will follow. If the
  // bug does not show then, they are to blame.
  std::vector<Schedule> reordered;
  // The last step comes too early for something that this thread was yet to do: the bug ended the
  // execution first.
  ThreadId late = kNoThread;
  Action early;
};

// The most likely first; not many.
std::vector<Suspect> suspects(const Trace& trace);

// What the late thread does, when it is let go first, to what the last critical step is about;
// false if there is no such step.
bool name_late_step(Suspect& suspect, const Trace& reordered);

// A wait that no signal ended, and the signal that might have.
struct LostSignal {
  size_t signal = 0;
  size_t wait = 0;
  bool before() const { return signal < wait; }
};
std::optional<LostSignal> find_lost_signal(const Trace& trace);

// A circle of threads that wait for mutexes: where each took the one that another wants.
std::vector<size_t> acquisitions_of_circle(const Trace& trace);
bool is_circle_of_mutexes(const Trace& trace);

}  // namespace heddle
