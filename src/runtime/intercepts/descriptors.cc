// Reads, writes and waits on pipes, socket pairs and event counters: a thread that would wait in
// the kernel is not enabled, or is woken by whoever reads, writes or closes the other end.
//
// Descriptors of any other kind (files, terminals, sockets to elsewhere) are passed on; a read that
// would wait there while other threads exist is refused by name, since nobody could end it.
//
// A wait for several descriptors (poll and its relatives) is one step that can be taken when one of
// them is ready; it depends on what anybody does with any descriptor (model/dependence.cc).
#include "runtime/descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

#include "model/any_descriptor.h"
#include "runtime/kernel_state.h"
#include "runtime/races.h"
#include "runtime/real.h"
#include "runtime/timed.h"

namespace heddle::real {
HEDDLE_REAL(read)
HEDDLE_REAL(pread)
HEDDLE_REAL(pread64)
HEDDLE_REAL(readv)
HEDDLE_REAL(recv)
HEDDLE_REAL(recvfrom)
HEDDLE_REAL(recvmsg)
HEDDLE_REAL(write)
HEDDLE_REAL(writev)
HEDDLE_REAL(send)
HEDDLE_REAL(sendto)
HEDDLE_REAL(sendmsg)
HEDDLE_REAL(close)
HEDDLE_REAL(pipe)
HEDDLE_REAL(pipe2)
HEDDLE_REAL(socketpair)
HEDDLE_REAL(eventfd)
HEDDLE_REAL(dup)
HEDDLE_REAL(dup2)
HEDDLE_REAL(dup3)
HEDDLE_REAL(fcntl)
HEDDLE_REAL(fcntl64)
HEDDLE_REAL(poll)
HEDDLE_REAL(ppoll)
HEDDLE_REAL(select)
HEDDLE_REAL(pselect)
HEDDLE_REAL(epoll_ctl)
HEDDLE_REAL(epoll_wait)
HEDDLE_REAL(epoll_pwait)
}  // namespace heddle::real

namespace heddle {

Descriptors& descriptors() {
  static constinit Descriptors table;
  return table;
}

namespace {

constexpr Address kNeverWaits{1};  // in Action::second

bool explored() {
  return g_switches.on_fiber && !g_switches.in_runtime;
}

bool is_nonblocking(int descriptor) {
  return (raw::call(SYS_fcntl, static_cast<uint64_t>(descriptor), F_GETFL) & O_NONBLOCK) != 0;
}

const volatile void* sync_object(Address key) {
  return reinterpret_cast<const volatile void*>(value(key));
}

// Where the kernel is going to write.
void open_buffer(const void* buffer, size_t bytes) {
  g_runtime.pages.prepare_write(raw::bits(buffer), bytes);
}

void open_buffers(const iovec* parts, int count) {
  for (int i = 0; i < count; ++i) open_buffer(parts[i].iov_base, parts[i].iov_len);
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

void wake_waiters_of(Address key) {
  wake_blocked(key);
  wake_blocked(kAnyDescriptor);
}

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
  if (patient)
    acquire(action, [&] { return ready(what.descriptor, reads ? POLLIN : POLLOUT); });
  else
    visible(action);
  if (!reads) sync_release(sync_object(key));
  const ssize_t result = call();
  if (reads) sync_acquire(sync_object(key));
  const int error = errno;
  wake_waiters_of(key);
  errno = error;
  return result;
}

// Other descriptors: files and the like are always ready.
void refuse_to_wait(const char* function, int descriptor, Address pc) {
  if (g_switches.concurrent && !ready(descriptor, POLLIN)) unsupported(function, pc);
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

// One step when something is ready or time is up; true if the former.
bool wait_for_any(pollfd* asked, uint64_t count, const Deadline* deadline, Address pc) {
  ProgramThread& self = current_thread();
  self.polled = asked;
  self.polled_count = count;
  const auto anything = [&] { return any_ready(asked, count); };
  Action action{.op = Op::FdWait, .object = kAnyDescriptor, .pc = pc};
  if (deadline == nullptr) return acquire(action, anything);
  TimedWait wait(*deadline);
  bool acquired;
  if (wait.expired() || wait.may_be_early()) {
    action.second = kNeverWaits;
    visible(action);
    acquired = anything();
  } else {
    acquired = acquire(action, anything);
  }
  if (!acquired) wait.time_out();
  return acquired;
}

constexpr uint64_t kMostPolled = 256;

int poll_within(pollfd* asked, nfds_t count, const Deadline* deadline, Address pc) {
  if (count > kMostPolled) unsupported("poll of more than 256 descriptors", pc);
  pollfd copy[kMostPolled];
  for (nfds_t i = 0; i < count; ++i) copy[i] = asked[i];
  wait_for_any(copy, count, deadline, pc);
  const long number = raw::call(SYS_poll, raw::bits(copy), count, 0);
  for (nfds_t i = 0; i < count; ++i) {
    asked[i].revents = copy[i].revents;
    if (copy[i].revents != 0 && descriptors().connects_threads(copy[i].fd))
      sync_acquire(sync_object(descriptors().key(copy[i].fd)));
  }
  return static_cast<int>(number);
}

Deadline after_milliseconds(int64_t time) {
  const timespec duration{time / 1000, time % 1000 * 1'000'000};
  return Deadline::relative(&duration);
}

int select_within(int count, fd_set* in, fd_set* out, fd_set* odd, const Deadline* deadline,
                  Address pc) {
  pollfd copy[kMostPolled];
  uint64_t number = 0;
  for (int i = 0; i < count && i < FD_SETSIZE; ++i) {
    short events = 0;
    if (in != nullptr && FD_ISSET(i, in)) events |= POLLIN;
    if (out != nullptr && FD_ISSET(i, out)) events |= POLLOUT;
    if (odd != nullptr && FD_ISSET(i, odd)) events |= POLLPRI;
    if (events == 0) continue;
    if (number == kMostPolled) unsupported("select on more than 256 descriptors", pc);
    copy[number++] = {i, events, 0};
  }
  wait_for_any(copy, number, deadline, pc);
  raw::call(SYS_poll, raw::bits(copy), number, 0);
  for (fd_set* set : {in, out, odd})
    if (set != nullptr) FD_ZERO(set);
  int found = 0;
  const auto note = [&](const pollfd& one, fd_set* set, short asked, int answers) {
    if (set == nullptr || (one.events & asked) == 0 || (one.revents & answers) == 0) return;
    FD_SET(one.fd, set);
    ++found;
  };
  for (uint64_t i = 0; i < number; ++i) {
    note(copy[i], in, POLLIN, POLLIN | POLLHUP | POLLERR);
    note(copy[i], out, POLLOUT, POLLOUT | POLLERR);
    note(copy[i], odd, POLLPRI, POLLPRI);
    if (copy[i].revents != 0 && descriptors().connects_threads(copy[i].fd))
      sync_acquire(sync_object(descriptors().key(copy[i].fd)));
  }
  return found;
}

int epoll_within(int epoll, epoll_event* events, int most, int milliseconds, Address pc) {
  pollfd ask{epoll, POLLIN, 0};
  const Deadline deadline = milliseconds < 0 ? Deadline{} : after_milliseconds(milliseconds);
  wait_for_any(&ask, 1, milliseconds < 0 ? nullptr : &deadline, pc);
  if (most > 0) open_buffer(events, static_cast<size_t>(most) * sizeof *events);
  return real::epoll_wait()(epoll, events, most, 0);
}

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

// What the number stood for is closed by it, which others may wait for.
template <typename Call>
int duplicate_over(int from, int to, Address pc, Call call) {
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

int noted_fcntl(int result, int descriptor, int command) {
  if (!explored()) return result;
  kernel_state().descriptors_touched();
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(result, descriptor) : result;
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT ssize_t read(int descriptor, void* buffer, size_t bytes) {
  if (!explored()) return real::read()(descriptor, buffer, bytes);
  const auto call = [&] {
    open_buffer(buffer, bytes);
    return real::read()(descriptor, buffer, bytes);
  };
  if (descriptors().connects_threads(descriptor))
    return transfer({Op::FdRead, descriptor, false, HEDDLE_CALLER}, call);
  if (descriptors().is_random(descriptor)) return getrandom(buffer, bytes, 0);
  refuse_to_wait("read", descriptor, HEDDLE_CALLER);
  return call();
}

HEDDLE_EXPORT ssize_t pread(int descriptor, void* buffer, size_t bytes, off_t offset) {
  if (explored()) open_buffer(buffer, bytes);
  return real::pread()(descriptor, buffer, bytes, offset);
}

HEDDLE_EXPORT ssize_t pread64(int descriptor, void* buffer, size_t bytes, off64_t offset) {
  if (explored()) open_buffer(buffer, bytes);
  return real::pread64()(descriptor, buffer, bytes, offset);
}

HEDDLE_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (!explored()) return real::readv()(descriptor, parts, count);
  const auto call = [&] {
    open_buffers(parts, count);
    return real::readv()(descriptor, parts, count);
  };
  if (descriptors().connects_threads(descriptor))
    return transfer({Op::FdRead, descriptor, false, HEDDLE_CALLER}, call);
  refuse_to_wait("readv", descriptor, HEDDLE_CALLER);
  return call();
}

HEDDLE_EXPORT ssize_t recv(int descriptor, void* buffer, size_t bytes, int flags) {
  if (!explored()) return real::recv()(descriptor, buffer, bytes, flags);
  const auto call = [&] {
    open_buffer(buffer, bytes);
    return real::recv()(descriptor, buffer, bytes, flags);
  };
  if (descriptors().connects_threads(descriptor))
    return transfer({Op::FdRead, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER}, call);
  refuse_to_wait("recv", descriptor, HEDDLE_CALLER);
  return call();
}

HEDDLE_EXPORT ssize_t recvfrom(int descriptor, void* buffer, size_t bytes, int flags,
                               sockaddr* address, socklen_t* length) {
  if (!explored()) return real::recvfrom()(descriptor, buffer, bytes, flags, address, length);
  const auto call = [&] {
    open_buffer(buffer, bytes);
    if (length != nullptr) {
      open_buffer(address, *length);
      open_buffer(length, sizeof *length);
    }
    return real::recvfrom()(descriptor, buffer, bytes, flags, address, length);
  };
  if (descriptors().connects_threads(descriptor))
    return transfer({Op::FdRead, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER}, call);
  refuse_to_wait("recvfrom", descriptor, HEDDLE_CALLER);
  return call();
}

HEDDLE_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  if (!explored()) return real::recvmsg()(descriptor, message, flags);
  const auto call = [&] {
    open_buffer(message, sizeof *message);
    open_buffers(message->msg_iov, static_cast<int>(message->msg_iovlen));
    if (message->msg_control != nullptr) open_buffer(message->msg_control, message->msg_controllen);
    if (message->msg_name != nullptr) open_buffer(message->msg_name, message->msg_namelen);
    kernel_state().descriptors_touched();  // it may bring some
    return real::recvmsg()(descriptor, message, flags);
  };
  if (descriptors().connects_threads(descriptor))
    return transfer({Op::FdRead, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER}, call);
  refuse_to_wait("recvmsg", descriptor, HEDDLE_CALLER);
  return call();
}

HEDDLE_EXPORT ssize_t write(int descriptor, const void* buffer, size_t bytes) {
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::write()(descriptor, buffer, bytes);
  if (!is_nonblocking(descriptor))
    return write_all(descriptor, static_cast<const char*>(buffer), bytes, HEDDLE_CALLER);
  return transfer({Op::FdWrite, descriptor, true, HEDDLE_CALLER},
                  [&] { return real::write()(descriptor, buffer, bytes); });
}

HEDDLE_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::writev()(descriptor, parts, count);
  return transfer({Op::FdWrite, descriptor, false, HEDDLE_CALLER}, [&] {
    Impatient now(descriptor);
    return real::writev()(descriptor, parts, count);
  });
}

HEDDLE_EXPORT ssize_t send(int descriptor, const void* buffer, size_t bytes, int flags) {
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::send()(descriptor, buffer, bytes, flags);
  return transfer({Op::FdWrite, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER},
                  [&] { return real::send()(descriptor, buffer, bytes, flags | MSG_DONTWAIT); });
}

HEDDLE_EXPORT ssize_t sendto(int descriptor, const void* buffer, size_t bytes, int flags,
                             const sockaddr* address, socklen_t length) {
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::sendto()(descriptor, buffer, bytes, flags, address, length);
  return transfer({Op::FdWrite, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER}, [&] {
    return real::sendto()(descriptor, buffer, bytes, flags | MSG_DONTWAIT, address, length);
  });
}

HEDDLE_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  if (!explored() || !descriptors().connects_threads(descriptor))
    return real::sendmsg()(descriptor, message, flags);
  return transfer({Op::FdWrite, descriptor, (flags & MSG_DONTWAIT) != 0, HEDDLE_CALLER},
                  [&] { return real::sendmsg()(descriptor, message, flags | MSG_DONTWAIT); });
}

// Whoever waits at the other end sees the end.
HEDDLE_EXPORT int close(int descriptor) {
  if (!explored()) return real::close()(descriptor);
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

HEDDLE_EXPORT int pipe(int* ends) {
  if (!explored()) return real::pipe()(ends);
  kernel_state().descriptors_touched();
  open_buffer(ends, 2 * sizeof *ends);
  const int result = real::pipe()(ends);
  return result != 0 ? result : connected(result, ends[0], ends[1]);
}

HEDDLE_EXPORT int pipe2(int* ends, int flags) {
  if (!explored()) return real::pipe2()(ends, flags);
  kernel_state().descriptors_touched();
  open_buffer(ends, 2 * sizeof *ends);
  const int result = real::pipe2()(ends, flags);
  return result != 0 ? result : connected(result, ends[0], ends[1]);
}

HEDDLE_EXPORT int socketpair(int domain, int type, int protocol, int* ends) {
  if (!explored()) return real::socketpair()(domain, type, protocol, ends);
  kernel_state().descriptors_touched();
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
  const long argument = va_arg(list, long);
  va_end(list);
  const int result = real::fcntl()(descriptor, command, argument);
  return noted_fcntl(result, descriptor, command);
}

HEDDLE_EXPORT int fcntl64(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  const int result = real::fcntl64()(descriptor, command, argument);
  return noted_fcntl(result, descriptor, command);
}

HEDDLE_EXPORT int poll(pollfd* asked, nfds_t count, int milliseconds) {
  if (!explored()) return real::poll()(asked, count, milliseconds);
  const Deadline deadline = milliseconds < 0 ? Deadline{} : after_milliseconds(milliseconds);
  return poll_within(asked, count, milliseconds < 0 ? nullptr : &deadline, HEDDLE_CALLER);
}

HEDDLE_EXPORT int ppoll(pollfd* asked, nfds_t count, const timespec* time, const sigset_t* mask) {
  if (!explored()) return real::ppoll()(asked, count, time, mask);
  const Deadline deadline = time == nullptr ? Deadline{} : Deadline::relative(time);
  return poll_within(asked, count, time == nullptr ? nullptr : &deadline, HEDDLE_CALLER);
}

HEDDLE_EXPORT int select(int count, fd_set* in, fd_set* out, fd_set* odd, timeval* time) {
  if (!explored()) return real::select()(count, in, out, odd, time);
  if (time == nullptr) return select_within(count, in, out, odd, nullptr, HEDDLE_CALLER);
  const Deadline deadline = after_milliseconds(time->tv_sec * 1000 + time->tv_usec / 1000);
  return select_within(count, in, out, odd, &deadline, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pselect(int count, fd_set* in, fd_set* out, fd_set* odd, const timespec* time,
                          const sigset_t* mask) {
  if (!explored()) return real::pselect()(count, in, out, odd, time, mask);
  if (time == nullptr) return select_within(count, in, out, odd, nullptr, HEDDLE_CALLER);
  const Deadline deadline = Deadline::relative(time);
  return select_within(count, in, out, odd, &deadline, HEDDLE_CALLER);
}

// What is waited for changes under those who wait.
HEDDLE_EXPORT int epoll_ctl(int epoll, int operation, int descriptor, epoll_event* event) noexcept {
  if (!explored()) return real::epoll_ctl()(epoll, operation, descriptor, event);
  visible({.op = Op::FdWrite,
           .size = static_cast<uint32_t>(epoll),
           .object = kAnyDescriptor,
           .second = kNeverWaits,
           .pc = HEDDLE_CALLER});
  sync_release(sync_object(kAnyDescriptor));
  const int result = real::epoll_ctl()(epoll, operation, descriptor, event);
  const int error = errno;
  wake_blocked(kAnyDescriptor);
  errno = error;
  return result;
}

HEDDLE_EXPORT int epoll_wait(int epoll, epoll_event* events, int most, int milliseconds) {
  if (!explored()) return real::epoll_wait()(epoll, events, most, milliseconds);
  return epoll_within(epoll, events, most, milliseconds, HEDDLE_CALLER);
}

HEDDLE_EXPORT int epoll_pwait(int epoll, epoll_event* events, int most, int milliseconds,
                              const sigset_t* mask) {
  if (!explored()) return real::epoll_pwait()(epoll, events, most, milliseconds, mask);
  return epoll_within(epoll, events, most, milliseconds, HEDDLE_CALLER);
}
