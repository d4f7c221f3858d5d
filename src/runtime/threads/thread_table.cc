#include "runtime/threads/thread_table.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace heddle {

void ThreadTable::reserve_threads(size_t most) {
  threads_.reserve(most);
  threads_.resize(most);
  live_.reserve(most);
  started_.reserve(most);
}

void ThreadTable::insert_live(ThreadId id) {
  size_t at = live_.size();
  live_.push_back(index(id));
  for (; at > 0 && live_[at - 1] > index(id); --at) std::swap(live_[at], live_[at - 1]);
  watched_.watch_from(at);
}

void ThreadTable::remove_live(ThreadId id) {
  auto* found = live_.begin() + place_of(id);
  watched_.watch_from(static_cast<size_t>(found - live_.begin()));
  std::copy(found + 1, live_.end(), found);
  live_.pop_back();
}

size_t ThreadTable::place_of(ThreadId id) const {
  return static_cast<size_t>(std::lower_bound(live_.begin(), live_.end(), index(id)) -
                             live_.begin());
}

uint32_t ThreadTable::count_waiters(Address condition) const {
  uint32_t count = 0;
  for (uint32_t id : live_)
    if (threads_[id].pending.op == Op::CondBlocked && threads_[id].pending.object == condition)
      ++count;
  return count;
}

ProgramThread& ThreadTable::waiter(Address condition, uint32_t position) {
  for (uint32_t id : live_) {
    ProgramThread& thread = threads_[id];
    if (thread.pending.op != Op::CondBlocked || thread.pending.object != condition) continue;
    if (position-- == 0) return thread;
  }
  check_failed("a waiter at this position", __FILE__, __LINE__);
}

}  // namespace heddle
