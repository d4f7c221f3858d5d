// Pipes, socket pairs and event counters of the execution under way: descriptors over which the
// program's threads can wait for each other. Data stays in the kernel; whether a read or write can
// go on is asked of it.
#pragma once

#include <poll.h>

#include "base/ids.h"
#include "runtime/output.h"
#include "runtime/raw.h"

namespace heddle {

class Descriptors {
 public:
  // What reads and writes of both ends touch; no object of a program lies at so small an address.
  static Address key_of_first(int descriptor) {
    return Address{0x8000 + static_cast<uint64_t>(descriptor)};
  }

  void connect(int descriptor, Address key) {
    if (is_valid(descriptor)) keys_[descriptor] = key;
  }
  void copied(int from, int to) {
    if (is_valid(to)) keys_[to] = key(from);
  }
  void closed(int descriptor) { connect(descriptor, kNoAddress); }
  Address key(int descriptor) const {
    return is_valid(descriptor) ? keys_[descriptor] : kNoAddress;
  }
  bool connects_threads(int descriptor) const { return key(descriptor) != kNoAddress; }
  void reset() {
    for (Address& key : keys_) key = kNoAddress;
  }

 private:
  static bool is_valid(int descriptor) {
    return descriptor >= 0 && descriptor < kFirstPrivateDescriptor;
  }
  Address keys_[kFirstPrivateDescriptor] = {};
};

Descriptors& descriptors();

// Whether one of the descriptors has what its events ask for, an error or an end.
inline bool any_ready(pollfd* asked, uint64_t count) {
  return raw::call(SYS_poll, raw::bits(asked), count, 0) != 0;
}
inline bool ready(int descriptor, short events) {
  pollfd ask{descriptor, events, 0};
  return any_ready(&ask, 1);
}

}  // namespace heddle
