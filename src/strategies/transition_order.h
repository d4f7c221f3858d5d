// The order in which the systematic strategies try the transitions of a configuration.
#pragma once

#include "explore/configuration.h"

namespace heddle {

// Calls visit(Transition) for every way to take the next action of `view`.
template <typename Visit>
void for_each_choice(const ThreadView& view, Visit&& visit) {
  for (uint32_t choice = 0; choice < view.choices; ++choice) visit(Transition{view.id, choice});
}

// Calls visit(view) for the threads in the order in which they are to be tried, until one call
// answers true: the thread that ran last, then the others in order of their id. A thread that has
// just yielded comes last, and the others follow it in a circle: so the first execution of a
// program whose threads spin on yields gives each of them its turn, and ends.
template <typename Visit>
void find_thread(const Configuration& configuration, Visit&& visit) {
  const ThreadView* last = configuration.find_last();
  if (!configuration.last_gave_up) {
    if (last != nullptr && visit(*last)) return;
    for (const ThreadView& view : configuration.live)
      if (&view != last && visit(view)) return;
    return;
  }
  for (const ThreadView& view : configuration.live)
    if (view.id > configuration.last && visit(view)) return;
  for (const ThreadView& view : configuration.live)
    if (view.id < configuration.last && visit(view)) return;
  if (last != nullptr) visit(*last);
}

// Calls visit(Transition) for every enabled transition, in that order.
template <typename Visit>
void for_each_transition(const Configuration& configuration, Visit&& visit) {
  find_thread(configuration, [&](const ThreadView& view) {
    for_each_choice(view, visit);
    return false;
  });
}

// The thread whose replacement here would be a preemption, or kNoThread.
inline ThreadId incumbent(const Configuration& configuration) {
  return configuration.switch_preempts() ? configuration.last : kNoThread;
}

}  // namespace heddle
