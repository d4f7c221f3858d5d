// Where descriptors come from and go to: which of them connect threads of the program, and what
// they are connected with. What threads do with them: transfers.cc, poll.cc.
#include "runtime/objects/descriptors.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>

#include "model/any_descriptor.h"
#include "runtime/checkers/descriptor_uses.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/blocking.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/cancel.h"
#include "runtime/rewind/kernel_state.h"

namespace heddle::real {
HEDDLE_REAL(close)
HEDDLE_REAL(shutdown)
HEDDLE_REAL(pipe)
HEDDLE_REAL(pipe2)
HEDDLE_REAL(socketpair)
HEDDLE_REAL(eventfd)
HEDDLE_REAL(dup)
HEDDLE_REAL(dup2)
HEDDLE_REAL(dup3)
HEDDLE_REAL(fcntl)
HEDDLE_REAL(fcntl64)
HEDDLE_REAL(close_range)
HEDDLE_REAL(closefrom)
}  // namespace heddle::real

extern "C" __attribute__((visibility("hidden"))) decltype(::close) heddle_taken_close;

namespace heddle {

Descriptors& descriptors() {
  static constinit Descriptors table;
  return table;
}

void wake_waiters_of(Address key) {
  wake_blocked(key);
  wake_blocked(kAnyDescriptor);
}

void open_buffer(void* buffer, size_t bytes) {
  g_runtime.pages.prepare_write(raw::bits(buffer), bytes);
}

namespace {

int connected(int result, int first, int second) {
  if (result != 0) return result;
  const Address key = Descriptors::key_of_first(first);
  descriptors().connect(first, key);
  descriptors().connect(second, key);
  return result;
}

int duplicated(int result, int from) {
  if (result >= 0) descriptors().copied(from, result);
  return result;
}

// Ours begin at a number that programs seldom reach; theirs may come after them.
bool is_private(int descriptor) {
  return descriptor >= kFirstPrivateDescriptor && descriptor < kEndOfPrivateDescriptors;
}

// Descriptors of ours are none to the program.
int no_descriptor() {
  errno = EBADF;
  return -1;
}

// What the number stood for is closed by it, which others may wait for.
template <typename Call>
int duplicate_over(int from, int to, Address pc, Call call) {
  if (is_private(from)) return no_descriptor();
  if (is_private(to)) unsupported("dup2 to a descriptor that Heddle uses", pc);
  kernel_state().descriptors_touched();
  const Address key = descriptors().key(to);
  if (key == kNoAddress || from == to) return duplicated(call(), from);
  visible({.op = Op::FdClose, .size = static_cast<uint32_t>(to), .object = key, .pc = pc});
  sync_release(sync_object(key));
  const int result = call();
  if (result < 0) return result;
  descriptors().closed(to);
  wake_waiters_of(key);
  return duplicated(result, from);
}

// Each end that connects threads is closed for those who wait at the other one.
void close_connected(unsigned first, unsigned last) {
  for (unsigned i = first; i <= last; ++i)
    if (descriptors().connects_threads(static_cast<int>(i)))
      heddle_taken_close(static_cast<int>(i));
}

using Fcntl = int (*)(int, int, ...);

// Whether operations wait is a property of the descriptor, which other threads rely on.
void step_on_flags(int descriptor, int command, Address pc) {
  if ((command != F_SETFL && command != F_GETFL) || !descriptors().connects_threads(descriptor))
    return;
  visible({.op = command == F_SETFL ? Op::FdWrite : Op::FdRead,
           .size = static_cast<uint32_t>(descriptor),
           .object = descriptors().key(descriptor),
           .second = kNeverWaits,
           .pc = pc});
}

int noted_fcntl(Fcntl real_fcntl, int descriptor, int command, va_list list, Address pc) {
  if (explored()) step_on_flags(descriptor, command, pc);
  const int result = real_fcntl(descriptor, command, va_arg(list, long));
  if (!explored()) return result;
  kernel_state().descriptors_touched();
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(result, descriptor) : result;
}

}  // namespace
}  // namespace heddle

using namespace heddle;

// Whoever waits at the other end sees the end.
HEDDLE_EXPORT int close(int descriptor) {
  if (!explored()) return real::close()(descriptor);
  if (is_private(descriptor)) return no_descriptor();
  cancellation_point();
  closes_descriptor(descriptor, HEDDLE_CALLER);
  kernel_state().descriptors_touched();
  if (!descriptors().connects_threads(descriptor)) {
    descriptors().closed(descriptor);
    return real::close()(descriptor);
  }
  const Address key = descriptors().key(descriptor);
  visible({.op = Op::FdClose,
           .size = static_cast<uint32_t>(descriptor),
           .object = key,
           .pc = HEDDLE_CALLER});
  sync_release(sync_object(key));
  descriptors().closed(descriptor);
  const int result = real::close()(descriptor);
  wake_waiters_of(key);
  return result;
}

HEDDLE_ALSO_LOCAL(close)

// To the other end it is something written: there is an end to read.
HEDDLE_EXPORT int shutdown(int descriptor, int how) noexcept {
  if (!explored()) return real::shutdown()(descriptor, how);
  uses_descriptor(descriptor, HEDDLE_CALLER);
  if (!descriptors().connects_threads(descriptor)) return real::shutdown()(descriptor, how);
  const Address key = descriptors().key(descriptor);
  visible({.op = Op::FdWrite,
           .size = static_cast<uint32_t>(descriptor),
           .object = key,
           .second = kNeverWaits,
           .pc = HEDDLE_CALLER});
  sync_release(sync_object(key));
  const int result = real::shutdown()(descriptor, how);
  g_runtime.executor.changed();
  wake_waiters_of(key);
  return result;
}

HEDDLE_EXPORT int pipe(int* ends) {
  if (!explored()) return real::pipe()(ends);
  kernel_state().descriptors_touched();
  access_range(Op::Write, ends, 2 * sizeof *ends, HEDDLE_CALLER);
  open_buffer(ends, 2 * sizeof *ends);
  const int result = real::pipe()(ends);
  return result != 0 ? result : connected(result, ends[0], ends[1]);
}

HEDDLE_EXPORT int pipe2(int* ends, int flags) {
  if (!explored()) return real::pipe2()(ends, flags);
  kernel_state().descriptors_touched();
  access_range(Op::Write, ends, 2 * sizeof *ends, HEDDLE_CALLER);
  open_buffer(ends, 2 * sizeof *ends);
  const int result = real::pipe2()(ends, flags);
  return result != 0 ? result : connected(result, ends[0], ends[1]);
}

HEDDLE_EXPORT int socketpair(int domain, int type, int protocol, int* ends) {
  if (!explored()) return real::socketpair()(domain, type, protocol, ends);
  kernel_state().descriptors_touched();
  access_range(Op::Write, ends, 2 * sizeof *ends, HEDDLE_CALLER);
  open_buffer(ends, 2 * sizeof *ends);
  const int result = real::socketpair()(domain, type, protocol, ends);
  return result != 0 ? result : connected(result, ends[0], ends[1]);
}

HEDDLE_EXPORT int eventfd(unsigned value, int flags) {
  if (!explored()) return real::eventfd()(value, flags);
  kernel_state().descriptors_touched();
  const int result = real::eventfd()(value, flags);
  if (result >= 0) connected(0, result, result);
  return result;
}

HEDDLE_EXPORT int dup(int descriptor) {
  if (!explored()) return real::dup()(descriptor);
  kernel_state().descriptors_touched();
  return duplicated(real::dup()(descriptor), descriptor);
}

HEDDLE_EXPORT int dup2(int from, int to) {
  if (!explored()) return real::dup2()(from, to);
  return duplicate_over(from, to, HEDDLE_CALLER, [&] { return real::dup2()(from, to); });
}

HEDDLE_EXPORT int dup3(int from, int to, int flags) {
  if (!explored()) return real::dup3()(from, to, flags);
  return duplicate_over(from, to, HEDDLE_CALLER, [&] { return real::dup3()(from, to, flags); });
}

HEDDLE_EXPORT int fcntl(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  const int result = noted_fcntl(real::fcntl(), descriptor, command, list, HEDDLE_CALLER);
  va_end(list);
  return result;
}

HEDDLE_EXPORT int fcntl64(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  const int result = noted_fcntl(real::fcntl64(), descriptor, command, list, HEDDLE_CALLER);
  va_end(list);
  return result;
}

HEDDLE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (!explored()) return real::close_range()(first, last, flags);
  constexpr unsigned kPrivate = kFirstPrivateDescriptor, kBehind = kEndOfPrivateDescriptors;
  kernel_state().descriptors_touched();
  if ((flags & CLOSE_RANGE_UNSHARE) != 0)
    unsupported("close_range(CLOSE_RANGE_UNSHARE)", HEDDLE_CALLER);
  if (first > last) return real::close_range()(first, last, flags);
  if ((flags & CLOSE_RANGE_CLOEXEC) == 0) close_connected(first, std::min(last, kPrivate - 1));
  if (first < kPrivate)
    if (int result = real::close_range()(first, std::min(last, kPrivate - 1), flags)) return result;
  return last >= kBehind ? real::close_range()(std::max(first, kBehind), last, flags) : 0;
}
HEDDLE_ALSO_LOCAL(close_range)

HEDDLE_EXPORT void closefrom(int first) noexcept {
  if (!explored()) return real::closefrom()(first);
  heddle_taken_close_range(static_cast<unsigned>(std::max(first, 0)), ~0u, 0);
}
