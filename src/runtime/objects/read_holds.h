// Which threads hold which reader-writer locks for reading, in the execution under way.
#pragma once

#include "base/ids.h"
#include "runtime/guest/reserved.h"

namespace heddle {

class ReadHolds {
 public:
  void initialise() { holds_.reserve(1 << 20); }
  void reset() { holds_.clear(); }

  void add(ThreadId thread, Address lock) { holds_.push_back({thread, lock}); }

  // False if the thread does not hold the lock.
  bool remove(ThreadId thread, Address lock) {
    for (size_t i = holds_.size(); i-- > 0;) {
      if (holds_[i].thread != thread || holds_[i].lock != lock) continue;
      holds_[i] = holds_.back();
      holds_.pop_back();
      return true;
    }
    return false;
  }

  bool contains(ThreadId thread, Address lock) const {
    for (const Hold& hold : holds_)
      if (hold.thread == thread && hold.lock == lock) return true;
    return false;
  }

  // A thread that reads, preferably another than `except`; kNoThread if there is none.
  ThreadId reader(Address lock, ThreadId except) const {
    ThreadId found = kNoThread;
    for (const Hold& hold : holds_)
      if (hold.lock == lock && (found == kNoThread || found == except)) found = hold.thread;
    return found;
  }

 private:
  struct Hold {
    ThreadId thread;
    Address lock;
  };
  ReservedVector<Hold> holds_;
};

}  // namespace heddle
