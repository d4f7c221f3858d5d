#include "runtime/rewind/inherited_descriptors.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/guest/end_search.h"
#include "runtime/guest/raw.h"
#include "runtime/rewind/output.h"

namespace heddle {
namespace {

long control(long descriptor, int command, long argument = 0) {
  return raw::call(SYS_fcntl, static_cast<uint64_t>(descriptor), static_cast<uint64_t>(command),
                   static_cast<uint64_t>(argument));
}

long seek(long descriptor, long offset, int whence) {
  return raw::call(SYS_lseek, static_cast<uint64_t>(descriptor), static_cast<uint64_t>(offset),
                   static_cast<uint64_t>(whence));
}

void close_between(int first, int last) {
  if (first > last) return;
  raw::call(SYS_close_range, static_cast<uint64_t>(first), static_cast<uint64_t>(last), 0);
}

}  // namespace

void InheritedDescriptors::initialise() {
  all_.reserve(kFirstPrivateDescriptor);
}

void InheritedDescriptors::take_baseline() {
  for (int number = 0; number < kFirstPrivateDescriptor; ++number) {
    const long close_on_exec = control(number, F_GETFD);
    if (close_on_exec < 0) continue;
    const long copy = control(number, F_DUPFD_CLOEXEC, kFirstPrivateDescriptor);
    if (copy < 0) cannot_run("too many files are open before main: raise the limit (ulimit -n)");
    struct stat status;
    raw::call(SYS_fstat, static_cast<uint64_t>(number), raw::bits(&status));
    const bool seekable = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
    const bool null = S_ISCHR(status.st_mode) && seek(number, 0, SEEK_CUR) >= 0;
    seekable_ = seekable_ || seekable;
    all_.push_back({number, copy, (close_on_exec & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0,
                    control(number, F_GETFL), seekable ? seek(number, 0, SEEK_CUR) : -1,
                    !seekable && !null});
  }
}

void InheritedDescriptors::restore_file(const Descriptor& one) {
  if (control(one.copy, F_GETFL) != one.flags) control(one.copy, F_SETFL, one.flags);
  if (one.offset >= 0) seek(one.copy, one.offset, SEEK_SET);
}

void InheritedDescriptors::restore() {
  int first = 0;
  for (const Descriptor& one : all_) {
    close_between(first, one.number - 1);
    first = one.number + 1;
    raw::call(SYS_dup3, static_cast<uint64_t>(one.copy), static_cast<uint64_t>(one.number),
              static_cast<uint64_t>(one.close_on_exec));
  }
  close_between(first, kFirstPrivateDescriptor - 1);
  restore_shared();
}

void InheritedDescriptors::restore_shared() {
  for (const Descriptor& one : all_) restore_file(one);
}

const InheritedDescriptors::Descriptor* InheritedDescriptors::find(int descriptor) const {
  for (const Descriptor& one : all_)
    if (one.number == descriptor) return &one;
  return nullptr;
}

bool InheritedDescriptors::is_inherited(int descriptor) const {
  return find(descriptor) != nullptr;
}

bool InheritedDescriptors::is_stream(int descriptor) const {
  const Descriptor* one = find(descriptor);
  return one != nullptr && one->stream;
}

}  // namespace heddle
