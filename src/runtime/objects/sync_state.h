// Spin locks, semaphores and barriers under our control: what they keep in the program's own
// objects, which a reset rewinds with the memory they lie in.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <cstdint>

#include "base/ids.h"

namespace heddle {

// 1 when it is free, as glibc has it on this processor; a negative number names the holder.
class SpinState {
 public:
  explicit SpinState(pthread_spinlock_t* lock) : word_(*const_cast<int*>(lock)) {}
  explicit SpinState(Address lock)
      : SpinState(reinterpret_cast<pthread_spinlock_t*>(value(lock))) {}

  bool initialised() const { return word_ == 1 || word_ < 0; }
  bool locked() const { return word_ != 1; }
  ThreadId owner() const {
    return word_ < 0 ? ThreadId{static_cast<uint32_t>(-word_ - 1)} : kNoThread;
  }
  void acquire(ThreadId thread) { word_ = -static_cast<int>(index(thread)) - 1; }
  void release() { word_ = 1; }

 private:
  int& word_;
};

// The value is where glibc keeps it, so that sem_init can stay as it is.
class SemState {
 public:
  explicit SemState(sem_t* semaphore) : value_(*reinterpret_cast<uint32_t*>(semaphore)) {}
  explicit SemState(Address semaphore) : SemState(reinterpret_cast<sem_t*>(value(semaphore))) {}

  uint32_t count() const { return value_; }
  void take() { --value_; }
  void post() { ++value_; }

 private:
  uint32_t& value_;
};

class BarrierState {
 public:
  explicit BarrierState(pthread_barrier_t* barrier)
      : data_(*reinterpret_cast<Data*>(barrier->__size)) {}

  void initialise(uint32_t count) { data_ = {kMagic, count, 0}; }
  void destroy() { data_ = {}; }
  bool initialised() const { return data_.magic == kMagic; }
  uint32_t missing() const { return data_.count - data_.arrived; }
  uint32_t round() const { return data_.count; }
  // Whether the arriving thread is the one all others wait for.
  bool arrive() {
    if (++data_.arrived < data_.count) return false;
    data_.arrived = 0;
    return true;
  }

 private:
  static constexpr uint32_t kMagic = 0x68646c62;
  struct Data {
    uint32_t magic;
    uint32_t count;
    uint32_t arrived;
  };
  static_assert(sizeof(Data) <= sizeof(pthread_barrier_t));
  Data& data_;
};

}  // namespace heddle
