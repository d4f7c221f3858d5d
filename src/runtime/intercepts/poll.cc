// Waiting for several descriptors at once (poll, select, epoll): one step that can be taken when
// one of them is ready; it depends on what anybody does with any descriptor (model/dependence.cc).
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include <cerrno>

#include "model/any_descriptor.h"
#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/blocking.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/cancel.h"
#include "runtime/intercepts/deadlines.h"
#include "runtime/objects/descriptors.h"

namespace heddle::real {
HEDDLE_REAL(poll)
HEDDLE_REAL(ppoll)
HEDDLE_REAL(select)
HEDDLE_REAL(pselect)
HEDDLE_REAL(epoll_ctl)
HEDDLE_REAL(epoll_wait)
HEDDLE_REAL(epoll_pwait)
}  // namespace heddle::real

namespace heddle {
namespace {

// One step when something is ready or time is up; true if the former.
bool wait_for_any(pollfd* asked, uint64_t count, const Deadline* deadline, Address pc) {
  ProgramThread& self = current_thread();
  self.polled = asked;
  self.polled_count = count;
  const auto anything = [&] { return any_ready(asked, count) || must_cancel(self); };
  cancellation_point();
  Action action{.op = Op::FdWait, .object = kAnyDescriptor, .pc = pc};
  if (deadline == nullptr) {
    const bool acquired = acquire(action, anything);
    cancellation_point();
    return acquired;
  }
  TimedWait wait(*deadline);
  bool acquired;
  if (wait.expired() || wait.may_be_early()) {
    action.second = kNeverWaits;
    visible(action);
    acquired = anything();
  } else {
    acquired = acquire(action, anything);
  }
  cancellation_point();
  if (!acquired) wait.time_out();
  return acquired;
}

constexpr uint64_t kMostPolled = 256;

int poll_within(pollfd* asked, nfds_t count, const Deadline* deadline, Address pc) {
  if (count > kMostPolled) unsupported("poll of more than 256 descriptors", pc);
  pollfd copy[kMostPolled];
  access_range(Op::Read, asked, count * sizeof *asked, pc);
  for (nfds_t i = 0; i < count; ++i) copy[i] = asked[i];
  wait_for_any(copy, count, deadline, pc);
  const long number = raw::call(SYS_poll, raw::bits(copy), count, 0);
  for (nfds_t i = 0; i < count; ++i) {
    access_range(Op::Write, &asked[i].revents, sizeof asked[i].revents, pc);
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
  const size_t bytes = (static_cast<size_t>(count) + 63) / 64 * 8;
  for (const fd_set* set : {in, out, odd})
    if (set != nullptr) access_range(Op::Read, set, bytes, pc);
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
  for (fd_set* set : {in, out, odd}) {
    if (set == nullptr) continue;
    access_range(Op::Write, set, bytes, pc);
    FD_ZERO(set);
  }
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
  descriptors().set_epoll(epoll);
  pollfd ask{epoll, POLLIN, 0};
  const Deadline deadline = milliseconds < 0 ? Deadline{} : after_milliseconds(milliseconds);
  wait_for_any(&ask, 1, milliseconds < 0 ? nullptr : &deadline, pc);
  if (most > 0) open_buffer(events, static_cast<size_t>(most) * sizeof *events);
  const int number = real::epoll_wait()(epoll, events, most, 0);
  // What is asked for once, or at each change only, is gone.
  if (number > 0) g_runtime.executor.changed();
  if (number > 0) access_range(Op::Write, events, static_cast<size_t>(number) * sizeof *events, pc);
  return number;
}

}  // namespace
}  // namespace heddle

using namespace heddle;

static int poll_from(Address pc, pollfd* asked, nfds_t count, int milliseconds) {
  if (!explored()) return real::poll()(asked, count, milliseconds);
  const Deadline deadline = milliseconds < 0 ? Deadline{} : after_milliseconds(milliseconds);
  return poll_within(asked, count, milliseconds < 0 ? nullptr : &deadline, pc);
}

HEDDLE_EXPORT int poll(pollfd* asked, nfds_t count, int milliseconds) {
  return poll_from(HEDDLE_CALLER, asked, count, milliseconds);
}
HEDDLE_EXPORT int __poll_chk(pollfd* asked, nfds_t count, int milliseconds, size_t room) {
  must_fit(count * sizeof *asked, room);
  return poll_from(HEDDLE_CALLER, asked, count, milliseconds);
}

static int ppoll_from(Address pc, pollfd* asked, nfds_t count, const timespec* time,
                      const sigset_t* mask) {
  if (!explored()) return real::ppoll()(asked, count, time, mask);
  const Deadline deadline = time == nullptr ? Deadline{} : deadline_after(time, pc);
  return poll_within(asked, count, time == nullptr ? nullptr : &deadline, pc);
}

HEDDLE_EXPORT int ppoll(pollfd* asked, nfds_t count, const timespec* time, const sigset_t* mask) {
  return ppoll_from(HEDDLE_CALLER, asked, count, time, mask);
}
HEDDLE_EXPORT int __ppoll_chk(pollfd* asked, nfds_t count, const timespec* time,
                              const sigset_t* mask, size_t room) {
  must_fit(count * sizeof *asked, room);
  return ppoll_from(HEDDLE_CALLER, asked, count, time, mask);
}

HEDDLE_EXPORT int select(int count, fd_set* in, fd_set* out, fd_set* odd, timeval* time) {
  if (!explored()) return real::select()(count, in, out, odd, time);
  if (time == nullptr) return select_within(count, in, out, odd, nullptr, HEDDLE_CALLER);
  reads(time, HEDDLE_CALLER);
  const Deadline deadline = after_milliseconds(time->tv_sec * 1000 + time->tv_usec / 1000);
  return select_within(count, in, out, odd, &deadline, HEDDLE_CALLER);
}

HEDDLE_EXPORT int pselect(int count, fd_set* in, fd_set* out, fd_set* odd, const timespec* time,
                          const sigset_t* mask) {
  if (!explored()) return real::pselect()(count, in, out, odd, time, mask);
  if (time == nullptr) return select_within(count, in, out, odd, nullptr, HEDDLE_CALLER);
  const Deadline deadline = deadline_after(time, HEDDLE_CALLER);
  return select_within(count, in, out, odd, &deadline, HEDDLE_CALLER);
}

// What is waited for changes under those who wait.
HEDDLE_EXPORT int epoll_ctl(int epoll, int operation, int descriptor, epoll_event* event) noexcept {
  if (!explored()) return real::epoll_ctl()(epoll, operation, descriptor, event);
  reads(operation == EPOLL_CTL_DEL ? nullptr : event, HEDDLE_CALLER);
  descriptors().set_epoll(epoll);
  if (operation != EPOLL_CTL_DEL && descriptors().is_outside(descriptor))
    descriptors().set_watches_outside(epoll);
  visible({.op = Op::FdWrite,
           .size = static_cast<uint32_t>(epoll),
           .object = kAnyDescriptor,
           .second = kNeverWaits,
           .pc = HEDDLE_CALLER});
  sync_release(sync_object(kAnyDescriptor));
  const int result = real::epoll_ctl()(epoll, operation, descriptor, event);
  const int error = errno;
  g_runtime.executor.changed();
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
