// What a program can change about its process beside memory and descriptors: the break, limits,
// priority, who it runs as, names, timers. Heddle puts back what it can (kernel_state.h); a call
// that would change something for good is refused by name, one that changes nothing succeeds.
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <iterator>

#include "runtime/core/runtime.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"
#include "runtime/rewind/kernel_state.h"

namespace heddle::real {
HEDDLE_REAL(brk)
HEDDLE_REAL(sbrk)
HEDDLE_REAL(setrlimit)
HEDDLE_REAL(setrlimit64)
HEDDLE_REAL(prlimit)
HEDDLE_REAL(prlimit64)
HEDDLE_REAL(setpriority)
HEDDLE_REAL(nice)
HEDDLE_REAL(setpgid)
HEDDLE_REAL(alarm)
HEDDLE_REAL(ualarm)
HEDDLE_REAL(setitimer)
HEDDLE_REAL(prctl)
}  // namespace heddle::real

namespace heddle {
namespace {

// --- The program break

// What lies below was there before main and would be lost.
void check_break(uint64_t wanted, Address pc) {
  kernel_state().mappings_touched();
  if (wanted < kernel_state().inherited_mappings().program_break())
    unsupported("brk to give back memory from before main", pc);
}

// --- Limits

constexpr uint64_t kNeededDescriptors = 1024;

// Under these Heddle itself could not go on.
bool limits_heddle(int resource, uint64_t soft) {
  switch (resource) {
    case RLIMIT_AS:
    case RLIMIT_DATA:
    case RLIMIT_CPU:
    case RLIMIT_NPROC:
    case RLIMIT_RTTIME:
      return soft != RLIM_INFINITY;
    case RLIMIT_NOFILE:
      return soft < kNeededDescriptors;
    default:
      return false;
  }
}

bool already_so(int resource, uint64_t soft, uint64_t hard) {
  rlimit64 now;
  return raw::call(SYS_prlimit64, 0, static_cast<uint64_t>(resource), 0, raw::bits(&now)) == 0 &&
         now.rlim_cur == soft && now.rlim_max == hard;
}

template <typename Limit, typename Call>
int change_limit(int resource, const Limit* wanted, Address pc, Call call) {
  if (!explored() || wanted == nullptr || already_so(resource, wanted->rlim_cur, wanted->rlim_max))
    return call();
  if (limits_heddle(resource, wanted->rlim_cur))
    unsupported("setrlimit with a limit that Heddle itself could not keep", pc);
  kernel_state().scheduling_touched();
  const int result = call();
  if (result == 0 && g_runtime.rewinds_in_place &&
      !kernel_state().scheduling().can_restore_limit(resource))
    unsupported("setrlimit to lower a hard limit", pc);
  return result;
}

template <typename Call>
int change_priority(const char* function, Address pc, Call call) {
  if (!explored()) return call();
  kernel_state().scheduling_touched();
  const int result = call();
  const int error = errno;
  if (g_runtime.rewinds_in_place && !kernel_state().scheduling().can_restore_priority())
    unsupported(function, pc);
  errno = error;
  return result;
}

// --- Users and groups

enum class Whose : uint8_t { User, Group };
constexpr unsigned kSame = ~0u;  // leave it as it is

struct Identity {
  unsigned real, effective, saved;
};

Identity identity(Whose whose) {
  Identity now{};
  raw::call(whose == Whose::User ? SYS_getresuid : SYS_getresgid, raw::bits(&now.real),
            raw::bits(&now.effective), raw::bits(&now.saved));
  return now;
}

bool is_privileged() {
  return identity(Whose::User).effective == 0;
}

int refused_by_kernel() {
  errno = EPERM;
  return -1;
}

// Parked threads would have to change with us, and nobody could change back.
int become(const char* function, Whose whose, Identity wanted, Address pc) {
  const Identity now = identity(whose);
  const auto is_same = [](unsigned next, unsigned old) { return next == kSame || next == old; };
  if (is_same(wanted.real, now.real) && is_same(wanted.effective, now.effective) &&
      is_same(wanted.saved, now.saved))
    return 0;
  const auto is_allowed = [&](unsigned next) {
    return next == kSame || next == now.real || next == now.effective || next == now.saved;
  };
  if (!is_privileged() &&
      !(is_allowed(wanted.real) && is_allowed(wanted.effective) && is_allowed(wanted.saved)))
    return refused_by_kernel();
  unsupported(function, pc);
}

// setuid(2): all three for the privileged, else the effective one.
int become_all(const char* function, Whose whose, unsigned wanted, Address pc) {
  if (is_privileged()) return become(function, whose, {wanted, wanted, wanted}, pc);
  return become(function, whose, {kSame, wanted, kSame}, pc);
}

constexpr size_t kMostGroups = 65536;

bool has_groups(const gid_t* wanted, size_t count) {
  static gid_t now[kMostGroups], sorted[kMostGroups];
  const long have = raw::call(SYS_getgroups, kMostGroups, raw::bits(now));
  if (have < 0 || static_cast<size_t>(have) != count || count > kMostGroups) return false;
  std::copy_n(wanted, count, sorted);
  std::sort(sorted, sorted + count);
  std::sort(now, now + count);
  return std::equal(now, now + count, sorted);
}

// --- prctl

// Options that say something or change what no execution can see.
constexpr int kHarmless[] = {PR_GET_PDEATHSIG,
                             PR_GET_DUMPABLE,
                             PR_GET_UNALIGN,
                             PR_GET_KEEPCAPS,
                             PR_GET_FPEMU,
                             PR_GET_FPEXC,
                             PR_GET_TIMING,
                             PR_GET_ENDIAN,
                             PR_GET_SECCOMP,
                             PR_CAPBSET_READ,
                             PR_GET_TSC,
                             PR_GET_SECUREBITS,
                             PR_GET_TIMERSLACK,
                             PR_MCE_KILL_GET,
                             PR_GET_TID_ADDRESS,
                             PR_GET_NO_NEW_PRIVS,
                             PR_GET_THP_DISABLE,
                             PR_SET_PTRACER,
                             PR_SET_TIMERSLACK,
                             PR_GET_CHILD_SUBREAPER,
                             PR_GET_SPECULATION_CTRL,
                             0x53564d41 /* PR_SET_VMA: names of memory */};

// A name belongs to a thread of the program, not to the kernel's thread that runs them all.
int name_thread(const char* name) {
  char(&kept)[16] = current_thread().name;
  strncpy(kept, name, sizeof kept - 1);
  kept[sizeof kept - 1] = '\0';
  return 0;
}

int name_of_thread(char* name) {
  const char(&kept)[16] = current_thread().name;
  strncpy(name, kept[0] != '\0' ? kept : program_invocation_short_name, sizeof kept - 1);
  name[sizeof kept - 1] = '\0';
  return 0;
}

bool is_set(const itimerval* time) {
  return time != nullptr && (time->it_value.tv_sec != 0 || time->it_value.tv_usec != 0);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT int brk(void* end) {
  if (explored()) check_break(raw::bits(end), HEDDLE_CALLER);
  return real::brk()(end);
}

HEDDLE_EXPORT void* sbrk(intptr_t bytes) {
  if (explored() && bytes != 0) {
    const auto now = static_cast<uint64_t>(raw::call(SYS_brk, 0));
    check_break(now + static_cast<uint64_t>(bytes), HEDDLE_CALLER);
  }
  return real::sbrk()(bytes);
}

// The C library declares the first argument differently from C to C++.
HEDDLE_EXPORT int setrlimit(__rlimit_resource_t resource, const rlimit* wanted) noexcept {
  return change_limit(static_cast<int>(resource), wanted, HEDDLE_CALLER,
                      [&] { return real::setrlimit()(resource, wanted); });
}
HEDDLE_EXPORT int setrlimit64(__rlimit_resource_t resource, const rlimit64* wanted) noexcept {
  return change_limit(static_cast<int>(resource), wanted, HEDDLE_CALLER,
                      [&] { return real::setrlimit64()(resource, wanted); });
}

#define PRLIMIT(name, type)                                                                  \
  HEDDLE_EXPORT int name(pid_t process, enum __rlimit_resource resource, const type* wanted, \
                         type* before) noexcept {                                            \
    if (explored() && before != nullptr)                                                     \
      g_runtime.pages.prepare_write(raw::bits(before), sizeof *before);                      \
    if (explored() && process == kProcessNumber) process = 0;                                \
    if (explored() && process != 0 && wanted != nullptr) unsupported(#name, HEDDLE_CALLER);  \
    return change_limit(static_cast<int>(resource), wanted, HEDDLE_CALLER,                   \
                        [&] { return real::name()(process, resource, wanted, before); });    \
  }
PRLIMIT(prlimit, rlimit)
PRLIMIT(prlimit64, rlimit64)

HEDDLE_EXPORT int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  if (explored() && (which != PRIO_PROCESS || who != 0))
    unsupported("setpriority of other processes", HEDDLE_CALLER);
  return change_priority("setpriority to a value that only root can take back", HEDDLE_CALLER,
                         [&] { return real::setpriority()(which, who, priority); });
}

HEDDLE_EXPORT int nice(int increment) noexcept {
  return change_priority("nice with a value that only root can take back", HEDDLE_CALLER,
                         [&] { return real::nice()(increment); });
}

#define BECOME(name, parameters, real_arguments, changed)            \
  HEDDLE_EXPORT int name parameters noexcept {                       \
    if (explored()) return changed;                                  \
    using Call = int(*) parameters;                                  \
    static auto call = reinterpret_cast<Call>(real::resolve(#name)); \
    return call real_arguments;                                      \
  }
BECOME(setuid, (uid_t id), (id), become_all("setuid", Whose::User, id, HEDDLE_CALLER))
BECOME(setgid, (gid_t id), (id), become_all("setgid", Whose::Group, id, HEDDLE_CALLER))
BECOME(seteuid, (uid_t id), (id), become("seteuid", Whose::User, {kSame, id, kSame}, HEDDLE_CALLER))
BECOME(setegid, (gid_t id), (id),
       become("setegid", Whose::Group, {kSame, id, kSame}, HEDDLE_CALLER))
BECOME(setreuid, (uid_t real, uid_t effective), (real, effective),
       become("setreuid", Whose::User, {real, effective, kSame}, HEDDLE_CALLER))
BECOME(setregid, (gid_t real, gid_t effective), (real, effective),
       become("setregid", Whose::Group, {real, effective, kSame}, HEDDLE_CALLER))
BECOME(setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved),
       become("setresuid", Whose::User, {real, effective, saved}, HEDDLE_CALLER))
BECOME(setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved),
       become("setresgid", Whose::Group, {real, effective, saved}, HEDDLE_CALLER))

HEDDLE_EXPORT int setgroups(size_t count, const gid_t* groups) noexcept {
  using Call = int (*)(size_t, const gid_t*);
  static auto call = reinterpret_cast<Call>(real::resolve("setgroups"));
  if (!explored()) return call(count, groups);
  if (!is_privileged()) return refused_by_kernel();
  if (!has_groups(groups, count)) unsupported("setgroups", HEDDLE_CALLER);
  return 0;
}

HEDDLE_EXPORT int setpgid(pid_t process, pid_t group) noexcept {
  if (!explored()) return real::setpgid()(process, group);
  const bool itself = process == 0 || process == kProcessNumber;
  if (!itself || (group != 0 && group != kProcessNumber)) unsupported("setpgid", HEDDLE_CALLER);
  return 0;  // it leads a group of its own already
}

// --- Signals that come by the clock would come at another place in each execution.

HEDDLE_EXPORT unsigned alarm(unsigned seconds) noexcept {
  if (explored() && seconds != 0) unsupported("alarm", HEDDLE_CALLER);
  return real::alarm()(seconds);
}
HEDDLE_EXPORT unsigned ualarm(unsigned value, unsigned interval) noexcept {
  if (explored() && value != 0) unsupported("ualarm", HEDDLE_CALLER);
  return real::ualarm()(value, interval);
}
HEDDLE_EXPORT int setitimer(__itimer_which_t which, const itimerval* time,
                            itimerval* before) noexcept {
  if (explored() && is_set(time)) unsupported("setitimer", HEDDLE_CALLER);
  if (explored() && before != nullptr)
    g_runtime.pages.prepare_write(raw::bits(before), sizeof *before);
  return real::setitimer()(which, time, before);
}

HEDDLE_EXPORT int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  const unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long),
                      c = va_arg(list, unsigned long), d = va_arg(list, unsigned long);
  va_end(list);
  if (explored()) {
    if (option == PR_SET_NAME) return name_thread(reinterpret_cast<const char*>(a));
    if (option == PR_GET_NAME) return name_of_thread(reinterpret_cast<char*>(a));
    if (std::find(std::begin(kHarmless), std::end(kHarmless), option) == std::end(kHarmless))
      unsupported("prctl for what Heddle could not take back", HEDDLE_CALLER);
    g_runtime.pages.prepare_write(a, sizeof(long));
  }
  return real::prctl()(option, a, b, c, d);
}
