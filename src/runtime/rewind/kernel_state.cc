#include "runtime/rewind/kernel_state.h"

#include <fcntl.h>

#include "runtime/guest/raw.h"
#include "runtime/rewind/output.h"
#include "runtime/rewind/program_handlers.h"
#include "runtime/rewind/signal_masks.h"

namespace heddle {
namespace {

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

}  // namespace

KernelState& kernel_state() {
  static KernelState state;
  return state;
}

void KernelState::initialise() {
  inherited_descriptors_.initialise();
  inherited_mappings_.initialise();
}

void KernelState::take_shared_baseline() {
  signal_masks().take_baseline();
  inherited_descriptors_.take_baseline();
}

void KernelState::take_baseline() {
  signal_masks().take_baseline();
  inherited_descriptors_.take_baseline();
  for (int signal = 1; signal <= kSignals; ++signal)
    raw::call(SYS_rt_sigaction, static_cast<uint64_t>(signal), 0, raw::bits(&actions_[signal]), 8);
  raw::call(SYS_rt_sigprocmask, SIG_BLOCK, 0, raw::bits(&mask_), 8);
  working_directory_ = open_here();
  umask_ = static_cast<uint64_t>(raw::call(SYS_umask, 0));
  raw::call(SYS_umask, umask_);
  scheduling_.take_baseline();
  inherited_mappings_.take_baseline();
}

void KernelState::restore() {
  if (scheduling_changed_) scheduling_.restore();
  if (descriptors_) {
    inherited_descriptors_.restore();
    renew_output();
  } else if (inherited_descriptors_.some_seekable()) {
    inherited_descriptors_.restore_shared();
  }
  if (mappings_) inherited_mappings_.restore();
  if (dispositions_) restore_dispositions();
  if (directory_) {
    raw::call(SYS_fchdir, static_cast<uint64_t>(working_directory_));
    raw::call(SYS_umask, umask_);
  }
  descriptors_ = mappings_ = dispositions_ = directory_ = scheduling_changed_ = false;
}

bool KernelState::is_only_memory() const {
  if (mappings_ || inherited_descriptors_.some_seekable() || signal_masks().some_wait())
    return false;
  if (!descriptors_) return true;
  if (!inherited_descriptors_.is_known()) return false;
  for (int descriptor = 0; descriptor < kFirstPrivateDescriptor; ++descriptor)
    if (is_open(descriptor) && !inherited_descriptors_.is_inherited(descriptor)) return false;
  return true;
}

void KernelState::enter_directory(const char* path) {
  raw::call(SYS_chdir, raw::bits(path));
  if (working_directory_ < 0) return;
  raw::call(SYS_close, static_cast<uint64_t>(working_directory_));
  working_directory_ = open_here();
}

void KernelState::restore_dispositions() {
  reset_program_handlers();
  signal_masks().reset();
  forget_pending_signals();
  for (int signal = 1; signal <= kSignals; ++signal)
    raw::call(SYS_rt_sigaction, static_cast<uint64_t>(signal), raw::bits(&actions_[signal]), 0, 8);
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, raw::bits(&mask_), 0, 8);
}

// A signal that was sent while it was blocked would come in the next execution. To ignore it is to
// drop it.
void KernelState::forget_pending_signals() {
  uint64_t pending = 0;
  raw::call(SYS_rt_sigpending, raw::bits(&pending), 8);
  const KernelAction ignore{reinterpret_cast<uint64_t>(SIG_IGN), 0, 0, 0};
  for (int signal = 1; signal <= kSignals; ++signal)
    if ((pending >> (signal - 1) & 1) != 0)
      raw::call(SYS_rt_sigaction, static_cast<uint64_t>(signal), raw::bits(&ignore), 0, 8);
}

}  // namespace heddle
