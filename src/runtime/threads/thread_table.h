// The threads of the execution under way: for whoever looks at them or changes what they do next.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/guest/reserved.h"
#include "runtime/threads/program_thread.h"
#include "runtime/threads/watched.h"

namespace heddle {

class ThreadTable {
 public:
  ProgramThread& current() { return *current_; }
  ProgramThread& thread(ThreadId id) { return threads_[index(id)]; }
  std::span<const uint32_t> live_threads() const { return {live_.begin(), live_.size()}; }
  std::span<const uint32_t> started_threads() const { return {started_.begin(), started_.size()}; }

  // Threads suspended in a wait on the condition, in order of ThreadId.
  uint32_t count_waiters(Address condition) const;
  ProgramThread& waiter(Address condition, uint32_t position);

  // To be said by whoever changes what another thread does next (its `pending`).
  void look_again_at(const ProgramThread& thread) { watched_.watch(place_of(thread.id)); }

 protected:
  void reserve_threads(size_t most);
  void insert_live(ThreadId id);
  void remove_live(ThreadId id);
  size_t place_of(ThreadId id) const;  // among the live ones

  ReservedVector<ProgramThread> threads_;
  ReservedVector<uint32_t> live_;     // in order of ThreadId
  Watched watched_;                   // of these
  ReservedVector<uint32_t> started_;  // in this execution, in order of creation
  ProgramThread* current_ = nullptr;
};

}  // namespace heddle
