// What the explorer sees of a program between two steps (SCALE, section 5.3.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/action.h"
#include "model/schedule.h"

namespace heddle {

// Whether a thread goes round in a loop that changes nothing (spin_monitor.h).
enum class Spin : uint8_t {
  None,
  Waits,   // and will do so until another thread changes something
  Pruned,  // it might find a change now; other executions show what happens then
};

struct ThreadView {
  ThreadId id = kMainThread;
  Action next;           // the visible action this thread is about to take
  uint32_t choices = 0;  // in how many ways it can take it now; 0: it is blocked
  Spin spin = Spin::None;
  uint32_t round = 0;  // steps of the thread in the round it has just made, if it spins
  bool enabled() const { return choices > 0; }
};

struct Configuration {
  std::vector<ThreadView> live;  // threads that have not ended, in order of ThreadId
  ThreadId last = kMainThread;   // who took the last step
  ThreadId created = kNoThread;  // the thread that the last step brought to life, if any
  bool last_gave_up = false;     // the last step was a yield or a sleep
  size_t last_at = 0;            // where in `live` that thread is, if it is; a hint

  const ThreadView* find(ThreadId id) const {
    for (const ThreadView& view : live)
      if (view.id == id) return &view;
    return nullptr;
  }
  const ThreadView* find_last() const {
    return last_at < live.size() && live[last_at].id == last ? &live[last_at] : find(last);
  }
  bool any_enabled() const {
    for (const ThreadView& view : live)
      if (view.enabled()) return true;
    return false;
  }
  bool any(Spin spin) const {
    for (const ThreadView& view : live)
      if (view.spin == spin) return true;
    return false;
  }
  // Whether running a thread other than `last` from here would preempt it.
  bool switch_preempts() const {
    if (last_gave_up) return false;
    const ThreadView* view = find_last();
    return view != nullptr && view->enabled();
  }
};

}  // namespace heddle
