// Changes what the kernel keeps for a process, at random, in three threads: argv[1] is the seed.
// Each execution first compares the state that it finds with what the first one wrote into the file
// argv[2], and aborts if anything differs: what one execution did must not reach the next.
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char** environ;

static char state[1 << 16];
static size_t length;

static void say(const char* format, ...) {
  va_list list;
  va_start(list, format);
  length += (size_t)vsnprintf(state + length, sizeof state - length, format, list);
  va_end(list);
}

static void describe_descriptors(void) {
  for (int i = 0; i < 40; ++i) {
    struct stat status;
    if (fstat(i, &status) != 0) continue;
    say("descriptor %d: %ld/%ld flags %d %d at %ld\n", i, (long)status.st_dev, (long)status.st_ino,
        fcntl(i, F_GETFD), fcntl(i, F_GETFL), (long)lseek(i, 0, SEEK_CUR));
  }
}

static void describe_signals(void) {
  sigset_t mask, pending;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  sigpending(&pending);
  for (int i = 1; i < 32; ++i) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigaction(i, NULL, &action);
    say("signal %d: %d %d %p %d\n", i, sigismember(&mask, i), sigismember(&pending, i),
        (void*)action.sa_handler, action.sa_flags);
  }
}

static void describe_process(void) {
  char folder[4096], name[32] = "";
  umask(umask(0));
  const mode_t mask = umask(022);
  umask(mask);
  prctl(PR_GET_NAME, name);
  say("in %s, umask %o, named %s, locale %s\n", getcwd(folder, sizeof folder), mask, name,
      setlocale(LC_ALL, NULL));
  for (int i = 0; i < RLIM_NLIMITS; ++i) {
    struct rlimit limit = {0, 0};
    getrlimit(i, &limit);
    say("limit %d: %lu %lu\n", i, limit.rlim_cur, limit.rlim_max);
  }
  cpu_set_t processors;
  sched_getaffinity(0, sizeof processors, &processors);
  say("priority %d, policy %d, %d processors\n", getpriority(PRIO_PROCESS, 0),
      sched_getscheduler(0), CPU_COUNT(&processors));
  say("ids %d %d %d %d\n", getuid(), geteuid(), getgid(), getegid());
  say("break %p\n", sbrk(0));
  void* probe = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  say("the next mapping is at %p\n", probe);
  munmap(probe, 3 * 4096);
  for (char** variable = environ; *variable != NULL; ++variable)
    if (strncmp(*variable, "HEDDLE", 6) != 0) say("%s\n", *variable);
}

static void compare_with_first(const char* path) {
  describe_descriptors();
  describe_signals();
  describe_process();
  static char before[sizeof state];
  const int file = open(path, O_RDONLY);
  if (file < 0) {
    const int fresh = open(path, O_WRONLY | O_CREAT, 0600);
    if (write(fresh, state, length) != (ssize_t)length) exit(2);
    close(fresh);
    return;
  }
  const ssize_t bytes = read(file, before, sizeof before);
  close(file);
  if (bytes == (ssize_t)length && memcmp(before, state, length) == 0) return;
  size_t line = 0;
  for (size_t i = 0; i < length && state[i] == before[i]; ++i)
    if (state[i] == '\n') line = i + 1;
  fprintf(stderr, "was: %.*s\n", (int)strcspn(before + line, "\n"), before + line);
  fprintf(stderr, "now: %.*s\n", (int)strcspn(state + line, "\n"), state + line);
  abort();
}

static unsigned next_random(unsigned* random, unsigned below) {
  *random = *random * 1103515245 + 12345;
  return (*random >> 16) % below;
}

static void handler(int number) {
  (void)number;
}

static void change_descriptors(unsigned* random) {
  const int number = (int)next_random(random, 12);
  char buffer[5];
  switch (next_random(random, 10)) {
    case 0:
      close(number);
      break;
    case 1:
      dup2(open("/dev/zero", O_RDONLY), number);
      break;
    case 2:
      dup3(open("/etc/passwd", O_RDONLY), number + 1, O_CLOEXEC);
      break;
    case 3:
      fcntl(number, F_SETFD, FD_CLOEXEC);
      break;
    case 4:
      fcntl(number, F_SETFL, O_NONBLOCK | O_APPEND);
      break;
    case 5:
      lseek(number, 7, SEEK_SET);
      break;
    case 6:
      if (read(3, buffer, sizeof buffer) < 0) lseek(3, 1, SEEK_SET);
      break;
    case 7:
      close_range((unsigned)number, ~0u, 0);
      break;
    case 8:
      closefrom(number);
      break;
    default:
      if (pipe((int[2]){0, 0}) != 0) close(number);
  }
}

static void change_signals(unsigned* random) {
  static const int kNumbers[] = {SIGUSR1, SIGUSR2, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGWINCH};
  const int number = kNumbers[next_random(random, 7)];
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  switch (next_random(random, 5)) {
    case 0:
      signal(number, handler);
      break;
    case 1:
      signal(number, SIG_IGN);
      break;
    case 2:
      sigprocmask(SIG_BLOCK, &set, NULL);
      break;
    case 3:
      pthread_sigmask(SIG_BLOCK, &set, NULL);
      raise(number);
      break;
    default:
      sigaction(number, &(struct sigaction){.sa_handler = handler, .sa_mask = set}, NULL);
  }
}

static void change_scheduling(unsigned* random) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  struct rlimit limit;
  switch (next_random(random, 5)) {
    case 0:
      getrlimit(RLIMIT_CORE, &limit);
      limit.rlim_cur = limit.rlim_cur == 0 ? limit.rlim_max : 0;
      setrlimit(RLIMIT_CORE, &limit);
      break;
    case 1:
      getrlimit(RLIMIT_STACK, &limit);
      limit.rlim_cur = 1 << 20;
      setrlimit(RLIMIT_STACK, &limit);
      break;
    case 2:
      sched_setaffinity(0, sizeof one, &one);
      break;
    case 3:
      pthread_setaffinity_np(pthread_self(), sizeof one, &one);
      break;
    default:
      sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
  }
}

static void change_process(unsigned* random) {
  switch (next_random(random, 11)) {
    case 0:
      if (chdir("/usr") != 0) exit(3);
      break;
    case 1:
      umask(077);
      break;
    case 2:
      prctl(PR_SET_NAME, "changed");
      break;
    case 3:
      setenv("HOME", "/nowhere", 1);
      break;
    case 4:
      clearenv();
      break;
    case 5:
      setlocale(LC_ALL, "C.UTF-8");
      break;
    case 6: {
      char* fresh = sbrk(5000);
      if (fresh[0] != 0) abort();
      fresh[0] = 1;
      break;
    }
    case 7: {
      char* pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (pages[0] != 0) abort();
      pages[0] = 1;
      break;
    }
    case 8: {
      char* block = aligned_alloc(4096, 8192);
      block[0] = 1;
      mprotect(block, 4096, PROT_NONE);
      break;
    }
    case 9:
      if (setgid(getgid()) != 0 || seteuid(geteuid()) != 0) exit(4);
      break;
    default:
      if (setpgid(0, 0) != 0) exit(5);
  }
}

static void change(unsigned* random) {
  switch (next_random(random, 4)) {
    case 0:
      change_descriptors(random);
      break;
    case 1:
      change_signals(random);
      break;
    case 2:
      change_scheduling(random);
      break;
    default:
      change_process(random);
  }
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* argument) {
  unsigned random = *(unsigned*)argument;
  for (int i = 0; i < 3; ++i) change(&random);
  pthread_mutex_lock(&mutex);
  change(&random);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  compare_with_first(argv[2]);
  unsigned seeds[2] = {(unsigned)atoi(argv[1]) * 2 + 1, (unsigned)atoi(argv[1]) * 2 + 2};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &seeds[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
