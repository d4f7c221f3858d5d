// A reader-writer lock under our control keeps its state in the program's own pthread_rwlock_t, so
// that static initialisers work as they are and a reset rewinds it. Who reads is kept beside it
// (read_holds.h), since there is no room for it inside.
#pragma once

#include <pthread.h>

#include "base/ids.h"

namespace heddle {

class RwlockState {
 public:
  explicit RwlockState(pthread_rwlock_t* lock) : data_(lock->__data) {}
  explicit RwlockState(Address lock)
      : RwlockState(reinterpret_cast<pthread_rwlock_t*>(value(lock))) {}

  ThreadId writer() const {
    return data_.__cur_writer == 0 ? kNoThread
                                   : ThreadId{static_cast<uint32_t>(data_.__cur_writer - 1)};
  }
  unsigned readers() const { return data_.__readers; }
  bool can_read() const { return data_.__cur_writer == 0; }
  bool can_write() const { return data_.__cur_writer == 0 && data_.__readers == 0; }
  void begin_read() { ++data_.__readers; }
  void end_read() { --data_.__readers; }
  void begin_write(ThreadId thread) { data_.__cur_writer = static_cast<int>(index(thread)) + 1; }
  void end_write() { data_.__cur_writer = 0; }

 private:
  decltype(pthread_rwlock_t::__data)& data_;
};

}  // namespace heddle
