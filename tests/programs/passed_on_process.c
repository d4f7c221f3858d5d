// What a program changes about its process works, and is put back after each execution: every one
// finds what the first one found.
//
// FLAGS: -D_GNU_SOURCE -D_LARGEFILE64_SOURCE -w
// RUN: --strategy=dfs --leaks=off
// EXPECT: pass
// EXECUTIONS: 12
// RUN: --strategy=dfs --leaks=off
// DOOR: preload
// EXPECT: pass
#include <assert.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <iconv.h>
#include <locale.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <syslog.h>
#include <unistd.h>

static void limits_and_ids(void) {
  struct rlimit limit;
  assert(getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != 1 << 20);
  limit.rlim_cur = 1 << 20;
  assert(setrlimit(RLIMIT_STACK, &limit) == 0);
  assert(prlimit(0, RLIMIT_STACK, NULL, &limit) == 0 && limit.rlim_cur == 1 << 20);
  struct rlimit64 wide;
  assert(prlimit64(0, RLIMIT_STACK, NULL, &wide) == 0 && wide.rlim_cur == 1 << 20);
  assert(setrlimit64(RLIMIT_STACK, &wide) == 0);
  const int priority = getpriority(PRIO_PROCESS, 0);
  assert(setpriority(PRIO_PROCESS, 0, priority) == 0 && nice(0) == priority);
  assert(setuid(getuid()) == 0 && setgid(getgid()) == 0);
  assert(seteuid(geteuid()) == 0 && setegid(getegid()) == 0);
  assert(setreuid(-1, geteuid()) == 0 && setregid(-1, getegid()) == 0);
  assert(setresuid(-1, -1, -1) == 0 && setresgid(-1, -1, -1) == 0);
  gid_t groups[1024];
  const int count = getgroups(1024, groups);
  assert(setgroups(count, groups) == 0 || errno == EPERM);
  assert(setpgid(0, 0) == 0);
  assert(alarm(0) == 0 && ualarm(0, 0) == 0);
  char name[16] = "";
  assert(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "renamed") != 0);
  assert(prctl(PR_SET_NAME, "renamed") == 0);
  assert(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "renamed") == 0);
}

static void scheduling(void) {
  cpu_set_t before, one;
  assert(sched_getaffinity(0, sizeof before, &before) == 0);
  CPU_ZERO(&one);
  for (int i = 0; CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  assert(sched_setaffinity(0, sizeof one, &one) == 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0);
  const struct sched_param none = {0};
  assert(sched_getscheduler(0) == SCHED_OTHER && sched_setscheduler(0, SCHED_BATCH, &none) == 0);
  assert(sched_setparam(0, &none) == 0);
  assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &none) == 0);
  assert(pthread_setschedprio(pthread_self(), 0) == 0);
}

static void ignore(int number) {
  (void)number;
}

static void signals(void) {
  sigset_t pending;
  assert(sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR2));
  assert(sigblock(0) == 0 && sigsetmask(0) == 0);
  assert(sighold(SIGUSR2) == 0 && raise(SIGUSR2) == 0);
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR2));
  assert(sighold(SIGUSR1) == 0 && sigrelse(SIGUSR1) == 0 && sigignore(SIGUSR1) == 0);
  assert(siginterrupt(SIGUSR1, 1) == 0);
  assert(signal(SIGHUP, ignore) == SIG_DFL);
  assert(sigqueue(getpid(), SIGUSR1, (union sigval){0}) == 0 || errno == ESRCH);
}

static void memory(void) {
  static char* end;
  assert(end == NULL);
  end = sbrk(8192);
  assert(end != (void*)-1 && end[0] == 0);
  end[0] = 1;
  assert(brk(end + 16384) == 0 && sbrk(0) == end + 16384);
  char* block = aligned_alloc(4096, 8192);
  block[0] = 1;
  assert(mprotect(block, 4096, PROT_READ) == 0 && block[0] == 1);
  void* pages = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(pages != MAP_FAILED && munmap(pages, 4096) == 0);
}

static void more_descriptors(void) {
  char name[] = "/tmp/heddle-test-XXXXXX", other[] = "/tmp/heddle-test-XXXXXXs";
  assert(mkstemp64(name) >= 0 && creat64(name, 0600) >= 0 && unlink(name) == 0);
  strcpy(name, "/tmp/heddle-test-XXXXXX");
  assert(mkostemp(name, O_CLOEXEC) >= 0 && unlink(name) == 0);
  strcpy(name, "/tmp/heddle-test-XXXXXX");
  assert(mkostemp64(name, 0) >= 0 && unlink(name) == 0);
  assert(mkostemps(other, 1, 0) >= 0 && unlink(other) == 0);
  assert(tmpfile64() != NULL && freopen64("/dev/null", "r", stdin) != NULL);
  const int root = open("/", O_RDONLY);
  assert(fdopendir(root) != NULL && inotify_init1(0) >= 0);
  sigset_t none;
  sigemptyset(&none);
  assert(signalfd(-1, &none, 0) >= 0);
  posix_openpt(O_RDWR);
  mq_open("/heddle-test-none", O_RDONLY);
  openlog("heddle-test", LOG_NDELAY, LOG_USER);
  setlogmask(LOG_MASK(LOG_EMERG));
  syslog(LOG_DEBUG, "nothing");
  closelog();
}

static void databases(void) {
  struct passwd user, *found_user;
  struct group group, *found_group;
  char text[4096];
  assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
  setlocale(LC_ALL, "C.UTF-8");
  freelocale(newlocale(LC_ALL_MASK, "C.UTF-8", NULL));
  iconv_close(iconv_open("UTF-16", "UTF-8"));
  assert(getpwuid(0) != NULL && getpwnam("root") != NULL);
  assert(getgrgid(0) != NULL && getgrnam("root") != NULL);
  assert(getpwuid_r(0, &user, text, sizeof text, &found_user) == 0);
  assert(getpwnam_r("root", &user, text, sizeof text, &found_user) == 0);
  assert(getgrgid_r(0, &group, text, sizeof text, &found_group) == 0);
  assert(getgrnam_r("root", &group, text, sizeof text, &found_group) == 0);
  struct addrinfo* addresses = NULL;
  const struct addrinfo numeric = {.ai_flags = AI_NUMERICHOST};
  assert(getaddrinfo("127.0.0.1", NULL, &numeric, &addresses) == 0);
  freeaddrinfo(addresses);
  gethostbyname("127.0.0.1");
  getservbyname("none", "tcp");
  void* library = dlmopen(LM_ID_BASE, "libm.so.6", RTLD_NOW);
  assert(library != NULL);
}

static void close_all(void) {
  assert(write(1, "x", 1) == 1 && write(2, "x", 1) == 1);
  assert(fcntl(0, F_GETFD) == 0 && fcntl(0, F_SETFD, FD_CLOEXEC) == 0);
  assert((fcntl(1, F_GETFL) & O_NONBLOCK) == 0 && fcntl(1, F_SETFL, O_NONBLOCK) == 0);
  assert(dup2(open("/dev/zero", O_RDONLY), 2) == 2);
  assert(close_range(5, 7, 0) == 0 && close(1) == 0);
  for (int i = 3; i < 1024; ++i) close(i);
  closefrom(0);
  assert(open("/dev/null", O_RDONLY) == 0);
}

static void* work(void* unused) {
  limits_and_ids();
  scheduling();
  signals();
  memory();
  more_descriptors();
  databases();
  close_all();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  pthread_join(thread, NULL);
}
