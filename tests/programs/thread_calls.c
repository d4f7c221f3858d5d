// Functions of threads, their attributes, descriptors and the kernel read and write what the
// program hands them: here each meets another thread at the same byte. tests/blocks/library_test.py
// asks for each one by name.
//
// RUN: --strategy=icb --bound=0 --leaks=off
// FLAGS: -D_GNU_SOURCE
// EXPECT: fail data-race
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <heddle/heddle.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static union {
  char text[4096];
  int number;
  size_t size;
  void* pointer;
  pthread_t thread;
  pthread_key_t key;
  pthread_attr_t attributes;
  pthread_mutexattr_t mutex;
  pthread_condattr_t condition;
  pthread_rwlockattr_t lock;
  pthread_barrierattr_t barrier;
  struct timespec spec;
  struct timeval value;
  struct timezone zone;
  struct itimerspec timer;
  struct itimerval interval;
  struct timeb zoned;
  struct sched_param parameters;
  clockid_t clock;
  cpu_set_t processors;
  sigset_t signals;
  struct sigaction action;
  struct epoll_event event;
  struct statfs system;
  struct statvfs system_of_file;
  struct statx status;
  uid_t user;
  gid_t groups[64];
  eventfd_t count;
  int ends[2];
  FILE* file;
  struct {
    void *next, *previous;
  } linked;
} u;
static char other[4096] = "12 other";
static volatile long result;
static pthread_attr_t attributes;
static pthread_mutexattr_t of_mutex;
static pthread_condattr_t of_condition;
static pthread_rwlockattr_t of_lock;
static pthread_barrierattr_t of_barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static DIR* closed;
static sem_t semaphore;
static struct sched_param parameters;
static sigset_t signals;
static pthread_t ended;
static struct { void *next, *previous; } element;
static int file, timer, event, epoll, number;

#define s (u.text)
#define USE(x) (result = (long)(x))

static void* nothing(void* argument) {
  return argument;
}
static int nothing_11(void* argument) {
  return argument != NULL;
}

// clang-format off
#define CASES(X) \
  X(pthread_create, USE(pthread_create(&u.thread, NULL, nothing, NULL))) \
  X(attributes_of_thread, USE(pthread_create(&(pthread_t){0}, &u.attributes, nothing, NULL))) \
  X(pthread_join, USE(pthread_join(ended, &u.pointer))) X(pthread_tryjoin_np, USE(pthread_tryjoin_np(ended, &u.pointer))) \
  X(pthread_timedjoin_np, USE(pthread_timedjoin_np(ended, NULL, &u.spec))) \
  X(pthread_clockjoin_np, USE(pthread_clockjoin_np(ended, &u.pointer, CLOCK_REALTIME, &(struct timespec){99, 0}))) \
  X(thrd_join, USE(thrd_join(ended, &u.number))) X(thrd_create, USE(thrd_create(&u.thread, nothing_11, NULL))) \
  X(thrd_sleep, USE(thrd_sleep(&u.spec, NULL))) X(tss_create, USE(tss_create(&u.key, NULL))) \
  X(mtx_timedlock, USE(mtx_timedlock((mtx_t*)&mutex, &u.spec))) \
  X(cnd_timedwait, USE(cnd_timedwait((cnd_t*)&condition, (mtx_t*)&held, &u.spec))) \
  X(pthread_key_create, USE(pthread_key_create(&u.key, NULL))) \
  X(pthread_setname_np, USE(pthread_setname_np(pthread_self(), s))) X(pthread_getname_np, USE(pthread_getname_np(pthread_self(), s, 16))) \
  X(pthread_setcancelstate, USE(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &u.number))) \
  X(pthread_setcanceltype, USE(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &u.number))) \
  X(pthread_mutex_timedlock, USE(pthread_mutex_timedlock(&mutex, &u.spec))) \
  X(pthread_mutex_clocklock, USE(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &u.spec))) \
  X(pthread_rwlock_timedrdlock, USE(pthread_rwlock_timedrdlock(&lock, &u.spec))) \
  X(pthread_rwlock_timedwrlock, USE(pthread_rwlock_timedwrlock(&lock, &u.spec))) \
  X(pthread_rwlock_clockrdlock, USE(pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &u.spec))) \
  X(pthread_rwlock_clockwrlock, USE(pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &u.spec))) \
  X(pthread_cond_timedwait, USE(pthread_cond_timedwait(&condition, &held, &u.spec))) \
  X(pthread_cond_clockwait, USE(pthread_cond_clockwait(&condition, &held, CLOCK_REALTIME, &u.spec))) \
  X(sem_timedwait, USE(sem_timedwait(&semaphore, &u.spec))) X(sem_clockwait, USE(sem_clockwait(&semaphore, CLOCK_REALTIME, &u.spec))) \
  X(sem_getvalue, USE(sem_getvalue(&semaphore, &u.number))) X(sem_open, USE(sem_open(s, O_CREAT, 0600, 1))) X(sem_unlink, USE(sem_unlink(s))) \
  X(pthread_mutex_init, USE(pthread_mutex_init(&mutex, &u.mutex))) X(pthread_cond_init, USE(pthread_cond_init(&condition, &u.condition))) \
  X(pthread_rwlock_init, USE(pthread_rwlock_init(&lock, &u.lock))) X(pthread_barrier_init, USE(pthread_barrier_init(&barrier, &u.barrier, 1))) \
  X(nanosleep, USE(nanosleep(&u.spec, NULL))) X(clock_nanosleep, USE(clock_nanosleep(CLOCK_REALTIME, 0, &u.spec, NULL))) \
  X(zone, USE(gettimeofday(&(struct timeval){0}, &u.zone))) X(sigaction, USE(sigaction(SIGUSR1, &u.action, NULL))) \
  X(sigaction_before, USE(sigaction(SIGUSR1, NULL, &u.action))) X(pipe, USE(pipe(u.ends))) X(pipe2, USE(pipe2(u.ends, 0))) \
  X(socketpair, USE(socketpair(AF_UNIX, SOCK_STREAM, 0, u.ends))) X(openat, USE(openat(AT_FDCWD, s, O_RDONLY))) \
  X(epoll_ctl, USE(epoll_ctl(epoll, EPOLL_CTL_ADD, event, &u.event))) \
  X(eventfd_read, USE(eventfd_read(event, &u.count))) X(getrandom, USE(getrandom(s, 8, 0))) X(getentropy, USE(getentropy(s, 8))) \
  X(ppoll, USE(ppoll(NULL, 0, &u.spec, NULL))) X(pselect, USE(pselect(0, NULL, NULL, NULL, &u.spec, NULL))) \
  X(waits_in_select, USE(select(0, NULL, NULL, NULL, &u.value))) \
  X(preadv, USE(preadv(file, (struct iovec[]){{s, 4}}, 1, 0))) X(preadv64, USE(preadv64(file, (struct iovec[]){{s, 4}}, 1, 0))) \
  X(pwritev, USE(pwritev(file, (struct iovec[]){{s, 4}}, 1, 0))) X(pwritev64, USE(pwritev64(file, (struct iovec[]){{s, 4}}, 1, 0))) \
  X(pthread_attr_init, USE(pthread_attr_init(&u.attributes))) X(pthread_attr_destroy, (pthread_attr_init(&u.attributes), USE(pthread_attr_destroy(&u.attributes)))) \
  X(pthread_attr_setdetachstate, USE(pthread_attr_setdetachstate(&u.attributes, 1))) X(pthread_attr_getdetachstate, USE(pthread_attr_getdetachstate(&attributes, &u.number))) \
  X(pthread_attr_setguardsize, USE(pthread_attr_setguardsize(&u.attributes, 1))) X(pthread_attr_getguardsize, USE(pthread_attr_getguardsize(&attributes, &u.size))) \
  X(pthread_attr_setinheritsched, USE(pthread_attr_setinheritsched(&u.attributes, 1))) X(pthread_attr_getinheritsched, USE(pthread_attr_getinheritsched(&attributes, &u.number))) \
  X(pthread_attr_setschedpolicy, USE(pthread_attr_setschedpolicy(&u.attributes, 1))) X(pthread_attr_getschedpolicy, USE(pthread_attr_getschedpolicy(&attributes, &u.number))) \
  X(pthread_attr_setscope, USE(pthread_attr_setscope(&u.attributes, 0))) X(pthread_attr_getscope, USE(pthread_attr_getscope(&attributes, &u.number))) \
  X(pthread_attr_setstacksize, USE(pthread_attr_setstacksize(&u.attributes, 1 << 20))) X(pthread_attr_getstacksize, USE(pthread_attr_getstacksize(&attributes, &u.size))) \
  X(pthread_attr_setschedparam, USE(pthread_attr_setschedparam(&attributes, &u.parameters))) X(pthread_attr_getschedparam, USE(pthread_attr_getschedparam(&u.attributes, &parameters))) \
  X(pthread_attr_setstack, USE(pthread_attr_setstack(&u.attributes, other, sizeof other))) X(pthread_attr_getstack, USE(pthread_attr_getstack(&attributes, &u.pointer, &(size_t){0}))) \
  X(pthread_attr_setaffinity_np, USE(pthread_attr_setaffinity_np(&attributes, sizeof u.processors, &u.processors))) \
  X(pthread_attr_getaffinity_np, USE(pthread_attr_getaffinity_np(&attributes, sizeof u.processors, &u.processors))) \
  X(pthread_mutexattr_init, USE(pthread_mutexattr_init(&u.mutex))) X(pthread_mutexattr_destroy, USE(pthread_mutexattr_destroy(&u.mutex))) \
  X(pthread_mutexattr_settype, USE(pthread_mutexattr_settype(&u.mutex, 1))) X(pthread_mutexattr_gettype, USE(pthread_mutexattr_gettype(&of_mutex, &u.number))) \
  X(pthread_mutexattr_setpshared, USE(pthread_mutexattr_setpshared(&u.mutex, 0))) X(pthread_mutexattr_getpshared, USE(pthread_mutexattr_getpshared(&of_mutex, &u.number))) \
  X(pthread_mutexattr_setprotocol, USE(pthread_mutexattr_setprotocol(&u.mutex, 0))) X(pthread_mutexattr_getprotocol, USE(pthread_mutexattr_getprotocol(&of_mutex, &u.number))) \
  X(pthread_mutexattr_setprioceiling, USE(pthread_mutexattr_setprioceiling(&u.mutex, 1))) X(pthread_mutexattr_getprioceiling, USE(pthread_mutexattr_getprioceiling(&of_mutex, &u.number))) \
  X(pthread_mutexattr_setrobust, USE(pthread_mutexattr_setrobust(&u.mutex, 0))) X(pthread_mutexattr_getrobust, USE(pthread_mutexattr_getrobust(&of_mutex, &u.number))) \
  X(pthread_condattr_init, USE(pthread_condattr_init(&u.condition))) X(pthread_condattr_destroy, USE(pthread_condattr_destroy(&u.condition))) \
  X(pthread_condattr_setpshared, USE(pthread_condattr_setpshared(&u.condition, 0))) X(pthread_condattr_getpshared, USE(pthread_condattr_getpshared(&of_condition, &u.number))) \
  X(pthread_condattr_setclock, USE(pthread_condattr_setclock(&u.condition, 1))) X(pthread_condattr_getclock, USE(pthread_condattr_getclock(&of_condition, &u.clock))) \
  X(pthread_rwlockattr_init, USE(pthread_rwlockattr_init(&u.lock))) X(pthread_rwlockattr_destroy, USE(pthread_rwlockattr_destroy(&u.lock))) \
  X(pthread_rwlockattr_setpshared, USE(pthread_rwlockattr_setpshared(&u.lock, 0))) X(pthread_rwlockattr_getpshared, USE(pthread_rwlockattr_getpshared(&of_lock, &u.number))) \
  X(pthread_rwlockattr_setkind_np, USE(pthread_rwlockattr_setkind_np(&u.lock, 1))) X(pthread_rwlockattr_getkind_np, USE(pthread_rwlockattr_getkind_np(&of_lock, &u.number))) \
  X(pthread_barrierattr_init, USE(pthread_barrierattr_init(&u.barrier))) X(pthread_barrierattr_destroy, USE(pthread_barrierattr_destroy(&u.barrier))) \
  X(pthread_barrierattr_setpshared, USE(pthread_barrierattr_setpshared(&u.barrier, 0))) X(pthread_barrierattr_getpshared, USE(pthread_barrierattr_getpshared(&of_barrier, &u.number))) \
  X(pthread_getattr_np, USE(pthread_getattr_np(pthread_self(), &u.attributes))) \
  X(pthread_getschedparam, USE(pthread_getschedparam(pthread_self(), &number, &u.parameters))) \
  X(pthread_getcpuclockid, USE(pthread_getcpuclockid(pthread_self(), &u.clock))) X(clock_getcpuclockid, USE(clock_getcpuclockid(0, &u.clock))) \
  X(sched_getaffinity, USE(sched_getaffinity(0, sizeof u.processors, &u.processors))) X(sched_setaffinity, USE(sched_setaffinity(0, sizeof u.processors, &u.processors))) \
  X(pthread_getaffinity_np, USE(pthread_getaffinity_np(pthread_self(), sizeof u.processors, &u.processors))) \
  X(sched_getparam, USE(sched_getparam(0, &u.parameters))) X(getresuid, USE(getresuid(&u.user, (uid_t*)other, (uid_t*)other + 1))) \
  X(getresgid, USE(getresgid((gid_t*)other, u.groups, (gid_t*)other + 1))) X(getgroups, USE(getgroups(64, u.groups))) \
  X(getitimer, USE(getitimer(ITIMER_REAL, &u.interval))) X(sigpending, USE(sigpending(&u.signals))) \
  X(sigandset, USE(sigandset(&u.signals, &signals, &signals))) X(sigorset, USE(sigorset(&signals, &u.signals, &signals))) \
  X(timerfd_gettime, USE(timerfd_gettime(timer, &u.timer))) X(timerfd_settime, USE(timerfd_settime(timer, 0, &(struct itimerspec){0}, &u.timer))) \
  X(ttyname_r, USE(ttyname_r(0, s, 90))) X(statvfs, USE(statvfs("/", &u.system_of_file))) X(fstatvfs, USE(fstatvfs(file, &u.system_of_file))) \
  X(fstatfs, USE(fstatfs(file, &u.system))) X(statx, USE(statx(AT_FDCWD, "/", 0, STATX_SIZE, &u.status))) \
  X(readlinkat, USE(readlinkat(AT_FDCWD, "/proc/self/exe", s, 90))) \
  X(ftime, USE(ftime(&u.zoned))) X(memfrob, USE(memfrob(s, 4))) X(a64l, USE(a64l(s))) \
  X(getsubopt, (number = 0, USE(getsubopt((char**)&u.pointer, (char*[]){NULL}, (char**)other)))) \
  X(setbuf, setbuf(u.file, NULL)) X(gcvt, USE(gcvt(1.5, 3, s))) X(ecvt, USE(ecvt(1.5, 3, &u.number, &number))) X(fcvt, USE(fcvt(1.5, 3, &number, &u.number))) \
  X(tmpnam, USE(tmpnam(s))) X(ctermid, USE(ctermid(s))) \
  X(fmemopen, USE(fmemopen(s, 20, "w"))) X(open_memstream, USE(open_memstream((char**)other, &u.size))) \
  X(insque, insque(&u.linked, &element)) X(remque, (element.previous = &u.linked, remque(&element))) \
  X(getpwnam, USE(getpwnam("root"))) X(getpwuid, USE(getpwuid(0))) X(getgrnam, USE(getgrnam("root"))) X(getgrgid, USE(getgrgid(0))) \
  X(fstatfs64, USE(fstatfs64(file, (struct statfs64*)&u))) X(fstatvfs64, USE(fstatvfs64(file, (struct statvfs64*)&u))) \
  X(statfs64, USE(statfs64(s, (struct statfs64*)other))) X(statvfs64, USE(statvfs64(s, (struct statvfs64*)other))) \
  X(getlogin_r, USE(getlogin_r(s, 90))) X(getxattr, USE(getxattr("/", "user.none", s, 90))) X(tcgetattr, USE(tcgetattr(0, (struct termios*)&u))) \
  X(open_wmemstream, USE(open_wmemstream((wchar_t**)other, &u.size))) X(setbuffer, setbuffer(stdin, s, 99)) \
  X(hdestroy, hdestroy()) \
  X(readdir, USE(readdir(closed))) X(readdir64, USE(readdir64(closed))) X(hsearch, USE(hsearch((ENTRY){"a", NULL}, ENTER)))
// clang-format on

// These share nothing with the other thread here: one is a step, two are for what is static, one
// writes elsewhere.
static const char* const not_called __attribute__((unused)) = "l64a ttyname setlinebuf mincore";

#define X(name, statement)                                  \
  __attribute__((noinline)) static void case_##name(void) { \
    statement;                                              \
  }
CASES(X)
#undef X

static void (*const cases[])(void) = {
#define X(name, statement) case_##name,
    CASES(X)
#undef X
};

static void* calls(void* which) {
  pthread_mutex_lock(&held);
  cases[(long)which]();
  return NULL;
}

// One byte is read and written, users and groups are asked for, and what is hashed for all.
static void* meets(void* unused) {
  result = s[0];
  s[0] = 0;
  closedir(closed);
  getpwnam("root");
  getgrgid(0);
  hsearch((ENTRY){"b", NULL}, ENTER);
  return unused;
}

int main(void) {
  const long which = heddle_choose(sizeof cases / sizeof *cases);
  file = open("/dev/null", O_RDWR);
  timer = timerfd_create(CLOCK_MONOTONIC, 0);
  event = eventfd(1, EFD_NONBLOCK);
  epoll = epoll_create1(0);
  sem_init(&semaphore, 0, 1);
  pthread_barrier_init(&barrier, NULL, 1);
  pthread_attr_init(&attributes);
  pthread_mutexattr_init(&of_mutex);
  pthread_condattr_init(&of_condition);
  pthread_rwlockattr_init(&of_lock);
  pthread_barrierattr_init(&of_barrier);
  closed = opendir("/");
  hcreate(10);
  pthread_create(&ended, NULL, nothing, NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, calls, (void*)which);
  pthread_create(&b, NULL, meets, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  _exit(0);
}
