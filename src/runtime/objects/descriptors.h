// Pipes, socket pairs and event counters of the execution under way: descriptors over which the
// program's threads can wait for each other. Data stays in the kernel; whether a read or write can
// go on is asked of it. Beside them: descriptors of random devices, whose numbers must be the same
// in every execution.
#pragma once

#include <poll.h>

#include "base/ids.h"
#include "runtime/guest/raw.h"
#include "runtime/rewind/output.h"

namespace heddle {

class Descriptors {
 public:
  // What reads and writes of both ends touch; no object of a program lies at so small an address.
  static Address key_of_first(int descriptor) {
    return Address{0x8000 + static_cast<uint64_t>(descriptor)};
  }

  void connect(int descriptor, Address key) {
    if (!is_valid(descriptor)) return;
    keys_[descriptor] = key;
    used_ = true;
  }
  void copied(int from, int to) {
    if (!is_valid(to)) return;
    keys_[to] = key(from);
    random_[to] = is_random(from);
    used_ = true;
  }
  void closed(int descriptor) {
    if (!is_valid(descriptor)) return;
    keys_[descriptor] = kNoAddress;
    watches_outside_[descriptor] = false;
    random_[descriptor] = is_epoll_[descriptor] = false;
    streams_[descriptor] = {};
  }
  Address key(int descriptor) const {
    return is_valid(descriptor) ? keys_[descriptor] : kNoAddress;
  }
  bool connects_threads(int descriptor) const { return key(descriptor) != kNoAddress; }
  void set_random(int descriptor) {
    if (!is_valid(descriptor)) return;
    random_[descriptor] = true;
    used_ = true;
  }
  bool is_random(int descriptor) const { return is_valid(descriptor) && random_[descriptor]; }

  // An epoll that waits, among others, for what comes from elsewhere.
  void set_watches_outside(int descriptor) {
    if (!is_valid(descriptor)) return;
    watches_outside_[descriptor] = true;
    used_ = true;
  }
  // Whether another process, a clock or a device may make it ready.
  bool is_outside(int descriptor) const {
    if (!is_valid(descriptor)) return descriptor >= 0;
    return watches_outside_[descriptor] ||
           (!connects_threads(descriptor) && !is_epoll_[descriptor]);
  }
  void set_epoll(int descriptor) {
    if (!is_valid(descriptor)) return;
    is_epoll_[descriptor] = true;
    used_ = true;
  }

  // A FILE over one of these descriptors, and which thread is inside it (intercepts/streams.cc).
  struct Stream {
    const void* file = nullptr;
    ThreadId user = kNoThread;
  };
  Stream* stream(int descriptor) { return is_valid(descriptor) ? &streams_[descriptor] : nullptr; }
  // -1: none.
  int descriptor_of(const void* file) const {
    for (int i = 0; i < kFirstPrivateDescriptor; ++i)
      if (streams_[i].file == file) return i;
    return -1;
  }

  void reset() {
    if (!used_) return;
    used_ = false;
    for (int i = 0; i < kFirstPrivateDescriptor; ++i) closed(i);
  }

 private:
  static bool is_valid(int descriptor) {
    return descriptor >= 0 && descriptor < kFirstPrivateDescriptor;
  }
  Address keys_[kFirstPrivateDescriptor] = {};
  bool used_ = false;
  bool watches_outside_[kFirstPrivateDescriptor] = {};
  bool is_epoll_[kFirstPrivateDescriptor] = {};
  bool random_[kFirstPrivateDescriptor] = {};
  Stream streams_[kFirstPrivateDescriptor] = {};
};

Descriptors& descriptors();

// In Action::second of a step on descriptors.
inline constexpr Address kNeverWaits{1};

// What race detection knows the connection by.
inline const volatile void* sync_object(Address key) {
  return reinterpret_cast<const volatile void*>(value(key));
}
// Those at the connection, and those who wait for several.
void wake_waiters_of(Address key);
// Where the kernel is going to write.
void open_buffer(void* buffer, size_t bytes);

// Whether one of the descriptors has what its events ask for, an error or an end.
inline bool any_ready(pollfd* asked, uint64_t count) {
  return raw::call(SYS_poll, raw::bits(asked), count, 0) != 0;
}
inline bool ready(int descriptor, short events) {
  pollfd ask{descriptor, events, 0};
  return any_ready(&ask, 1);
}

}  // namespace heddle
