#include "runtime/kernel_state.h"

#include <fcntl.h>

#include <algorithm>

#include "runtime/layout.h"
#include "runtime/maps.h"
#include "runtime/output.h"
#include "runtime/raw.h"
#include "runtime/runtime.h"
#include "runtime/signals.h"

namespace heddle {
namespace {

constexpr size_t kMaxMappings = 1 << 16;

bool is_open(int descriptor) {
  return raw::call(SYS_fcntl, static_cast<uint64_t>(descriptor), F_GETFD) >= 0;
}

long open_here() {
  const long here =
      raw::call(SYS_openat, static_cast<uint64_t>(AT_FDCWD), raw::bits("."), O_PATH | O_CLOEXEC);
  const long high =
      raw::call(SYS_fcntl, static_cast<uint64_t>(here), F_DUPFD_CLOEXEC, kFirstPrivateDescriptor);
  raw::call(SYS_close, static_cast<uint64_t>(here));
  return high;
}

// The kernel's own mappings come and go by themselves, or cannot be touched.
bool belongs_to_kernel(const Mapping& mapping) {
  return !mapping.path.empty() && mapping.path[0] == '[';
}

}  // namespace

KernelState& kernel_state() {
  static KernelState state;
  return state;
}

int thread_number() {
  return kProcessNumber + static_cast<int>(index(current_thread().id));
}

void KernelState::initialise() {
  open_.reserve(kFirstPrivateDescriptor + 1);
  mapped_.reserve(kMaxMappings);
}

void KernelState::take_baseline() {
  for (int descriptor = 0; descriptor < kFirstPrivateDescriptor; ++descriptor)
    if (is_open(descriptor)) open_.push_back(descriptor);
  open_.push_back(kFirstPrivateDescriptor);
  for (int signal = 1; signal <= kSignals; ++signal)
    raw::call(SYS_rt_sigaction, static_cast<uint64_t>(signal), 0, raw::bits(&actions_[signal]), 8);
  raw::call(SYS_rt_sigprocmask, SIG_BLOCK, 0, raw::bits(&mask_), 8);
  working_directory_ = open_here();
  umask_ = static_cast<uint64_t>(raw::call(SYS_umask, 0));
  raw::call(SYS_umask, umask_);
  for (const Mapping& mapping : read_mappings()) mapped_.push_back({mapping.begin, mapping.end});
}

void KernelState::restore() {
  if (descriptors_) close_new_descriptors();
  if (mappings_) unmap_new_mappings();
  if (dispositions_) restore_dispositions();
  if (directory_) {
    raw::call(SYS_fchdir, static_cast<uint64_t>(working_directory_));
    raw::call(SYS_umask, umask_);
  }
  descriptors_ = mappings_ = dispositions_ = directory_ = false;
}

bool KernelState::is_only_memory() const {
  if (mappings_) return false;
  if (!descriptors_) return true;
  if (open_.empty()) return false;  // no baseline was taken
  for (int descriptor = 0; descriptor < kFirstPrivateDescriptor; ++descriptor)
    if (is_open(descriptor) && std::find(open_.begin(), open_.end(), descriptor) == open_.end())
      return false;
  return true;
}

void KernelState::enter_directory(const char* path) {
  raw::call(SYS_chdir, raw::bits(path));
  if (working_directory_ < 0) return;
  raw::call(SYS_close, static_cast<uint64_t>(working_directory_));
  working_directory_ = open_here();
}

// Closes the gaps between the descriptors that were open at the start.
void KernelState::close_new_descriptors() {
  int first = 0;
  for (int open : open_) {
    if (first < open)
      raw::call(SYS_close_range, static_cast<uint64_t>(first), static_cast<uint64_t>(open - 1), 0);
    first = open + 1;
  }
}

// Everything outside our window that does not meet a mapping of the start.
void KernelState::unmap_new_mappings() {
  for (const Mapping& mapping : read_mappings()) {
    if (mapping.begin >= kWindowBegin && mapping.begin < kWindowEnd) continue;
    if (belongs_to_kernel(mapping)) continue;
    bool known = false;
    for (const Range& range : mapped_)
      known = known || (mapping.begin < range.end && range.begin < mapping.end);
    if (!known) raw::call(SYS_munmap, mapping.begin, mapping.end - mapping.begin);
  }
}

void KernelState::restore_dispositions() {
  reset_program_handlers();
  for (int signal = 1; signal <= kSignals; ++signal)
    raw::call(SYS_rt_sigaction, static_cast<uint64_t>(signal), raw::bits(&actions_[signal]), 0, 8);
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, raw::bits(&mask_), 0, 8);
}

}  // namespace heddle
