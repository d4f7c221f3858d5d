// Reads and writes on pipes, socket pairs and event counters: a thread that would wait in the
// kernel is not enabled, or is woken by whoever reads, writes or closes the other end.
//
// Descriptors of any other kind (files, terminals, sockets to elsewhere) are passed on; a read that
// would wait there while other threads exist is refused by name, since nobody could end it.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/checkers/descriptor_uses.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/blocking.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/cancel.h"
#include "runtime/objects/descriptors.h"
#include "runtime/rewind/kernel_state.h"

namespace heddle::real {
HEDDLE_REAL(read)
HEDDLE_REAL(pread)
HEDDLE_REAL(pread64)
HEDDLE_REAL(readv)
HEDDLE_REAL(preadv)
HEDDLE_REAL(pwritev)
HEDDLE_REAL(recv)
HEDDLE_REAL(recvfrom)
HEDDLE_REAL(recvmsg)
HEDDLE_REAL(write)
HEDDLE_REAL(writev)
HEDDLE_REAL(send)
HEDDLE_REAL(sendto)
HEDDLE_REAL(sendmsg)
}  // namespace heddle::real

extern "C" __attribute__((visibility("hidden"))) decltype(::getrandom) heddle_taken_getrandom;

namespace heddle {
namespace {

bool is_nonblocking(int descriptor) {
  return (raw::call(SYS_fcntl, static_cast<uint64_t>(descriptor), F_GETFL) & O_NONBLOCK) != 0;
}

void open_buffers(const iovec* parts, int count) {
  for (int i = 0; i < count; ++i) open_buffer(parts[i].iov_base, parts[i].iov_len);
}

// What a call has read from the descriptor, or is going to write to it, as accesses of the program.
ssize_t filled(void* buffer, ssize_t result, Address pc) {
  if (result > 0) access_range(Op::Write, buffer, static_cast<size_t>(result), pc);
  return result;
}

ssize_t filled(const iovec* parts, int count, ssize_t result, Address pc) {
  access_range(Op::Read, parts, static_cast<size_t>(count) * sizeof *parts, pc);
  size_t rest = result > 0 ? static_cast<size_t>(result) : 0;
  for (int i = 0; i < count && rest > 0; ++i) {
    const size_t bytes = parts[i].iov_len < rest ? parts[i].iov_len : rest;
    access_range(Op::Write, parts[i].iov_base, bytes, pc);
    rest -= bytes;
  }
  return result;
}

void will_write(int descriptor, const void* buffer, size_t bytes, Address pc) {
  if (!explored()) return;
  cancellation_point();
  uses_descriptor(descriptor, pc);
  access_range(Op::Read, buffer, bytes, pc);
}

void will_write_parts(int descriptor, const iovec* parts, size_t count, Address pc) {
  if (!explored()) return;
  will_write(descriptor, parts, count * sizeof *parts, pc);
  for (size_t i = 0; i < count; ++i)
    access_range(Op::Read, parts[i].iov_base, parts[i].iov_len, pc);
}

// While one of these lives, calls on the descriptor return instead of waiting.
class Impatient {
 public:
  explicit Impatient(int descriptor) : descriptor_(static_cast<uint64_t>(descriptor)) {
    flags_ = raw::call(SYS_fcntl, descriptor_, F_GETFL);
    if (flags_ >= 0 && (flags_ & O_NONBLOCK) == 0)
      raw::call(SYS_fcntl, descriptor_, F_SETFL, static_cast<uint64_t>(flags_ | O_NONBLOCK));
  }
  ~Impatient() {
    if (flags_ >= 0 && (flags_ & O_NONBLOCK) == 0)
      raw::call(SYS_fcntl, descriptor_, F_SETFL, static_cast<uint64_t>(flags_));
  }
  Impatient(const Impatient&) = delete;
  Impatient& operator=(const Impatient&) = delete;

 private:
  uint64_t descriptor_;
  long flags_;
};

struct Transfer {
  Op op;
  int descriptor;
  bool never_waits;
  Address pc;
};

// Takes the step and then calls the kernel, again and again while there is nothing to be had.
template <typename Call>
ssize_t transfer(const Transfer& what, Call call) {
  const Address key = descriptors().key(what.descriptor);
  const bool reads = what.op == Op::FdRead;
  const bool patient = !what.never_waits && !is_nonblocking(what.descriptor);
  const Action action{.op = what.op,
                      .size = static_cast<uint32_t>(what.descriptor),
                      .object = key,
                      .second = patient ? kNoAddress : kNeverWaits,
                      .pc = what.pc};
  cancellation_point();
  if (patient)
    acquire(action, [&] {
      return ready(what.descriptor, reads ? POLLIN : POLLOUT) || must_cancel(current_thread());
    });
  else
    visible(action);
  cancellation_point();
  if (!reads) sync_release(sync_object(key));
  const ssize_t result = call();
  if (reads) sync_acquire(sync_object(key));
  if (result < 0) return result;
  const int error = errno;
  g_runtime.executor.changed();
  wake_waiters_of(key);
  errno = error;
  return result;
}

// Other descriptors: files and the like are always ready.
void refuse_to_wait(const char* function, int descriptor, Address pc) {
  if (g_switches.concurrent && !ready(descriptor, POLLIN)) unsupported(function, pc);
}

template <typename Call>
ssize_t receive(const char* function, int descriptor, int flags, Address pc, Call call) {
  cancellation_point();
  uses_descriptor(descriptor, pc);
  if (descriptors().connects_threads(descriptor))
    return transfer({Op::FdRead, descriptor, (flags & MSG_DONTWAIT) != 0, pc}, call);
  if (kernel_state().inherited_descriptors().is_stream(descriptor))
    unsupported("read from a pipe, socket or terminal that was open before main", pc);
  refuse_to_wait(function, descriptor, pc);
  return call();
}

// All of it is written, as a pipe promises, in as many steps as that takes.
ssize_t write_all(int descriptor, const char* from, size_t bytes, Address pc) {
  size_t done = 0;
  do {
    const ssize_t part = transfer({Op::FdWrite, descriptor, false, pc}, [&] {
      Impatient now(descriptor);
      return real::write()(descriptor, from + done, bytes - done);
    });
    if (part < 0 && errno != EAGAIN) return done > 0 ? static_cast<ssize_t>(done) : part;
    if (part > 0) done += static_cast<size_t>(part);
  } while (done < bytes);
  return static_cast<ssize_t>(done);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

// Functions named __…_chk are what callers get with _FORTIFY_SOURCE.

static ssize_t read_from(Address pc, int descriptor, void* buffer, size_t bytes) {
  if (!explored()) return real::read()(descriptor, buffer, bytes);
  const auto call = [&] {
    open_buffer(buffer, bytes);
    return filled(buffer, real::read()(descriptor, buffer, bytes), pc);
  };
  if (descriptors().is_random(descriptor)) return heddle_taken_getrandom(buffer, bytes, 0);
  return receive("read", descriptor, 0, pc, call);
}

HEDDLE_EXPORT ssize_t read(int descriptor, void* buffer, size_t bytes) {
  return read_from(HEDDLE_CALLER, descriptor, buffer, bytes);
}
HEDDLE_EXPORT ssize_t __read_chk(int descriptor, void* buffer, size_t bytes, size_t room) {
  must_fit(bytes, room);
  return read_from(HEDDLE_CALLER, descriptor, buffer, bytes);
}

static ssize_t pread_from(Address pc, int descriptor, void* buffer, size_t bytes, off_t offset) {
  if (!explored()) return real::pread()(descriptor, buffer, bytes, offset);
  uses_descriptor(descriptor, pc);
  open_buffer(buffer, bytes);
  return filled(buffer, real::pread()(descriptor, buffer, bytes, offset), pc);
}

HEDDLE_EXPORT ssize_t pread(int descriptor, void* buffer, size_t bytes, off_t offset) {
  return pread_from(HEDDLE_CALLER, descriptor, buffer, bytes, offset);
}
HEDDLE_EXPORT ssize_t __pread_chk(int descriptor, void* buffer, size_t bytes, off_t offset,
                                  size_t room) {
  must_fit(bytes, room);
  return pread_from(HEDDLE_CALLER, descriptor, buffer, bytes, offset);
}

static ssize_t pread64_from(Address pc, int descriptor, void* buffer, size_t bytes,
                            off64_t offset) {
  if (!explored()) return real::pread64()(descriptor, buffer, bytes, offset);
  uses_descriptor(descriptor, pc);
  open_buffer(buffer, bytes);
  return filled(buffer, real::pread64()(descriptor, buffer, bytes, offset), pc);
}

HEDDLE_EXPORT ssize_t pread64(int descriptor, void* buffer, size_t bytes, off64_t offset) {
  return pread64_from(HEDDLE_CALLER, descriptor, buffer, bytes, offset);
}
HEDDLE_EXPORT ssize_t __pread64_chk(int descriptor, void* buffer, size_t bytes, off64_t offset,
                                    size_t room) {
  must_fit(bytes, room);
  return pread64_from(HEDDLE_CALLER, descriptor, buffer, bytes, offset);
}

HEDDLE_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (!explored()) return real::readv()(descriptor, parts, count);
  [[maybe_unused]] const Address pc = HEDDLE_CALLER;
  const auto call = [&] {
    open_buffers(parts, count);
    return filled(parts, count, real::readv()(descriptor, parts, count), pc);
  };
  return receive("readv", descriptor, 0, HEDDLE_CALLER, call);
}

static ssize_t preadv_from(Address pc, int descriptor, const iovec* parts, int count,
                           off_t offset) {
  if (!explored()) return real::preadv()(descriptor, parts, count, offset);
  uses_descriptor(descriptor, pc);
  open_buffers(parts, count);
  return filled(parts, count, real::preadv()(descriptor, parts, count, offset), pc);
}

HEDDLE_EXPORT ssize_t preadv(int descriptor, const iovec* parts, int count, off_t offset) {
  return preadv_from(HEDDLE_CALLER, descriptor, parts, count, offset);
}
HEDDLE_EXPORT ssize_t preadv64(int descriptor, const iovec* parts, int count, off64_t offset) {
  return preadv_from(HEDDLE_CALLER, descriptor, parts, count, offset);
}

HEDDLE_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  return read_from(HEDDLE_CALLER, descriptor, value, sizeof *value) == sizeof *value ? 0 : -1;
}

static ssize_t recv_from(Address pc, int descriptor, void* buffer, size_t bytes, int flags) {
  if (!explored()) return real::recv()(descriptor, buffer, bytes, flags);
  const auto call = [&] {
    open_buffer(buffer, bytes);
    return filled(buffer, real::recv()(descriptor, buffer, bytes, flags), pc);
  };
  return receive("recv", descriptor, flags, pc, call);
}

HEDDLE_EXPORT ssize_t recv(int descriptor, void* buffer, size_t bytes, int flags) {
  return recv_from(HEDDLE_CALLER, descriptor, buffer, bytes, flags);
}
HEDDLE_EXPORT ssize_t __recv_chk(int descriptor, void* buffer, size_t bytes, size_t room,
                                 int flags) {
  must_fit(bytes, room);
  return recv_from(HEDDLE_CALLER, descriptor, buffer, bytes, flags);
}

static ssize_t recvfrom_from(Address pc, int descriptor, void* buffer, size_t bytes, int flags,
                             sockaddr* address, socklen_t* length) {
  if (!explored()) return real::recvfrom()(descriptor, buffer, bytes, flags, address, length);
  const auto call = [&] {
    open_buffer(buffer, bytes);
    if (length != nullptr) {
      open_buffer(address, *length);
      open_buffer(length, sizeof *length);
    }
    return filled(buffer, real::recvfrom()(descriptor, buffer, bytes, flags, address, length), pc);
  };
  return receive("recvfrom", descriptor, flags, pc, call);
}

HEDDLE_EXPORT ssize_t recvfrom(int descriptor, void* buffer, size_t bytes, int flags,
                               sockaddr* address, socklen_t* length) {
  return recvfrom_from(HEDDLE_CALLER, descriptor, buffer, bytes, flags, address, length);
}
HEDDLE_EXPORT ssize_t __recvfrom_chk(int descriptor, void* buffer, size_t bytes, size_t room,
                                     int flags, sockaddr* address, socklen_t* length) {
  must_fit(bytes, room);
  return recvfrom_from(HEDDLE_CALLER, descriptor, buffer, bytes, flags, address, length);
}

HEDDLE_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  if (!explored()) return real::recvmsg()(descriptor, message, flags);
  [[maybe_unused]] const Address pc = HEDDLE_CALLER;
  const auto call = [&] {
    open_buffer(message, sizeof *message);
    open_buffers(message->msg_iov, static_cast<int>(message->msg_iovlen));
    if (message->msg_control != nullptr) open_buffer(message->msg_control, message->msg_controllen);
    if (message->msg_name != nullptr) open_buffer(message->msg_name, message->msg_namelen);
    kernel_state().descriptors_touched();  // it may bring some
    const auto count = static_cast<int>(message->msg_iovlen);
    const ssize_t result = real::recvmsg()(descriptor, message, flags);
    return filled(message->msg_iov, count, result, pc);
  };
  return receive("recvmsg", descriptor, flags, HEDDLE_CALLER, call);
}

static ssize_t write_from(Address pc, int descriptor, const void* buffer, size_t bytes) {
  will_write(descriptor, buffer, bytes, pc);
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::write()(descriptor, buffer, bytes);
  if (!is_nonblocking(descriptor))
    return write_all(descriptor, static_cast<const char*>(buffer), bytes, pc);
  return transfer({Op::FdWrite, descriptor, true, pc},
                  [&] { return real::write()(descriptor, buffer, bytes); });
}

HEDDLE_EXPORT ssize_t write(int descriptor, const void* buffer, size_t bytes) {
  return write_from(HEDDLE_CALLER, descriptor, buffer, bytes);
}
HEDDLE_EXPORT int eventfd_write(int descriptor, eventfd_t value) {
  return write_from(HEDDLE_CALLER, descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
}

static ssize_t pwritev_from(Address pc, int descriptor, const iovec* parts, int count,
                            off_t offset) {
  will_write_parts(descriptor, parts, static_cast<size_t>(count), pc);
  return real::pwritev()(descriptor, parts, count, offset);
}

HEDDLE_EXPORT ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t offset) {
  return pwritev_from(HEDDLE_CALLER, descriptor, parts, count, offset);
}
HEDDLE_EXPORT ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t offset) {
  return pwritev_from(HEDDLE_CALLER, descriptor, parts, count, offset);
}

HEDDLE_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  will_write_parts(descriptor, parts, static_cast<size_t>(count), HEDDLE_CALLER);
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::writev()(descriptor, parts, count);
  return transfer({Op::FdWrite, descriptor, false, HEDDLE_CALLER}, [&] {
    Impatient now(descriptor);
    return real::writev()(descriptor, parts, count);
  });
}

HEDDLE_EXPORT ssize_t send(int descriptor, const void* buffer, size_t bytes, int flags) {
  will_write(descriptor, buffer, bytes, HEDDLE_CALLER);
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::send()(descriptor, buffer, bytes, flags);
  return transfer({Op::FdWrite, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER},
                  [&] { return real::send()(descriptor, buffer, bytes, flags | MSG_DONTWAIT); });
}

HEDDLE_EXPORT ssize_t sendto(int descriptor, const void* buffer, size_t bytes, int flags,
                             const sockaddr* address, socklen_t length) {
  will_write(descriptor, buffer, bytes, HEDDLE_CALLER);
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::sendto()(descriptor, buffer, bytes, flags, address, length);
  return transfer({Op::FdWrite, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER}, [&] {
    return real::sendto()(descriptor, buffer, bytes, flags | MSG_DONTWAIT, address, length);
  });
}

HEDDLE_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  will_write_parts(descriptor, message->msg_iov, message->msg_iovlen, HEDDLE_CALLER);
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::sendmsg()(descriptor, message, flags);
  return transfer({Op::FdWrite, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER},
                  [&] { return real::sendmsg()(descriptor, message, flags | MSG_DONTWAIT); });
}

HEDDLE_ALSO_LOCAL(read)
HEDDLE_ALSO_LOCAL(write)
