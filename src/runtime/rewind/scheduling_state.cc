#include "runtime/rewind/scheduling_state.h"

#include <fcntl.h>

#include <cstdlib>

#include "runtime/guest/raw.h"

namespace heddle {
namespace {

constexpr uint64_t kSelf = 0;
constexpr long kNiceOffset = 20;

long limit(int resource, const rlimit64* next, rlimit64* before) {
  return raw::call(SYS_prlimit64, kSelf, static_cast<uint64_t>(resource), raw::bits(next),
                   raw::bits(before));
}

long set_priority(uint64_t thread, long priority) {
  return raw::call(SYS_setpriority, PRIO_PROCESS, thread,
                   static_cast<uint64_t>(kNiceOffset - priority));
}

// The threads of this process as the kernel numbers them; most of them are parked.
template <typename Visit>
void for_each_thread(Visit visit) {
  struct Entry {
    uint64_t inode;
    int64_t next;
    uint16_t bytes;
    uint8_t type;
    char name[1];
  };
  const long folder = raw::call(SYS_openat, static_cast<uint64_t>(AT_FDCWD),
                                raw::bits("/proc/self/task"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  alignas(8) char buffer[4096];
  for (;;) {
    const long got =
        raw::call(SYS_getdents64, static_cast<uint64_t>(folder), raw::bits(buffer), sizeof buffer);
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      uint64_t number = 0;
      for (const char* digit = entry->name; *digit >= '0' && *digit <= '9'; ++digit)
        number = number * 10 + static_cast<uint64_t>(*digit - '0');
      if (number != 0) visit(number);
      at += entry->bytes;
    }
  }
  raw::call(SYS_close, static_cast<uint64_t>(folder));
}

}  // namespace

void SchedulingState::take_baseline() {
  for (int resource = 0; resource < kLimits; ++resource)
    limit(resource, nullptr, &limits_[resource]);
  priority_ = raw::call(SYS_getpriority, PRIO_PROCESS, kSelf);
  policy_ = raw::call(SYS_sched_getscheduler, kSelf);
  raw::call(SYS_sched_getparam, kSelf, raw::bits(&parameter_));
  mask_bytes_ = raw::call(SYS_sched_getaffinity, kSelf, kMaskBytes, raw::bits(processors_));
}

void SchedulingState::restore() {
  for (int resource = 0; resource < kLimits; ++resource)
    limit(resource, &limits_[resource], nullptr);
  for_each_thread([&](uint64_t thread) {
    raw::call(SYS_sched_setscheduler, thread, static_cast<uint64_t>(policy_),
              raw::bits(&parameter_));
    set_priority(thread, priority_);
    if (mask_bytes_ > 0)
      raw::call(SYS_sched_setaffinity, thread, static_cast<uint64_t>(mask_bytes_),
                raw::bits(processors_));
  });
}

bool SchedulingState::can_restore_limit(int resource) const {
  rlimit64 wanted;
  if (resource < 0 || resource >= kLimits) return true;
  limit(resource, nullptr, &wanted);
  if (limit(resource, &limits_[resource], nullptr) != 0) return false;
  limit(resource, &wanted, nullptr);
  return true;
}

bool SchedulingState::can_restore_priority() const {
  const long wanted = raw::call(SYS_getpriority, PRIO_PROCESS, kSelf);
  if (set_priority(kSelf, priority_) != 0) return false;
  set_priority(kSelf, wanted);
  return true;
}

}  // namespace heddle
