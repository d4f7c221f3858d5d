// A mutex under our control keeps its state in the program's own pthread_mutex_t, in the fields
// that glibc uses for the same purpose: static initialisers work as they are, and a reset rewinds
// the mutex with the memory it lies in.
#pragma once

#include <pthread.h>

#include "base/ids.h"

namespace heddle {

enum class MutexKind : int { Normal = 0, Recursive = 1, ErrorCheck = 2 };

// Of a robust mutex, in a field that glibc uses for counting and we do not.
enum class MutexHealth : unsigned { Fine = 0, OwnerDied = 0xdead0001, Inconsistent, Lost };

class MutexState {
 public:
  explicit MutexState(pthread_mutex_t* mutex) : data_(mutex->__data) {}
  explicit MutexState(Address mutex)
      : MutexState(reinterpret_cast<pthread_mutex_t*>(value(mutex))) {}

  MutexKind kind() const {
    int kind = data_.__kind & 3;  // robust, protocol and sharing bits lie above
    return kind == 1 ? MutexKind::Recursive : kind == 2 ? MutexKind::ErrorCheck : MutexKind::Normal;
  }
  bool robust() const { return (data_.__kind & 16) != 0 && !destroyed(); }
  MutexHealth health() const {
    return robust() ? static_cast<MutexHealth>(data_.__nusers) : MutexHealth::Fine;
  }
  void set_health(MutexHealth health) { data_.__nusers = static_cast<unsigned>(health); }
  unsigned depth() const { return data_.__count; }
  // glibc marks destroyed mutexes in the same way; initialisation takes the mark away.
  bool destroyed() const { return data_.__kind == -1; }
  void destroy() { data_.__kind = -1; }
  bool locked() const { return data_.__lock != 0; }
  ThreadId owner() const {
    return locked() ? ThreadId{static_cast<uint32_t>(data_.__owner - 1)} : kNoThread;
  }
  void acquire(ThreadId thread) {
    data_.__lock = 1;
    data_.__owner = static_cast<int>(index(thread)) + 1;
    ++data_.__count;
  }
  // True when the last of recursive locks is given back.
  bool release() {
    if (--data_.__count > 0) return false;
    data_.__lock = 0;
    data_.__owner = 0;
    return true;
  }
  // A condition wait gives up all recursive locks at once and takes them back later.
  unsigned release_all() {
    unsigned count = data_.__count;
    data_.__count = 0;
    data_.__lock = 0;
    data_.__owner = 0;
    return count;
  }
  void acquire_again(ThreadId thread, unsigned count) {
    acquire(thread);
    data_.__count = count;
  }

 private:
  decltype(pthread_mutex_t::__data)& data_;
};

}  // namespace heddle
