// Functions that are passed on to libc and the kernel, called while another thread runs, with
// results in static memory that the kernel writes to; what they change is put back after each
// execution.
//
// FLAGS: -D_GNU_SOURCE -D_LARGEFILE64_SOURCE
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: 12
// RUN: --strategy=dfs
// DOOR: preload
// EXPECT: pass
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { kPage = 4096 };
// Each on a page of its own, which nobody has written before the kernel does.
#define FRESH __attribute__((aligned(kPage)))
static FRESH struct stat status[4];
static FRESH struct stat64 status64[3];
static FRESH struct statfs system_status;
static FRESH struct rlimit limit;
static FRESH struct rusage usage;
static FRESH struct utsname system_name;
static FRESH struct tms spent;
static FRESH struct sysinfo memory;
static FRESH char text[PATH_MAX], target[PATH_MAX], host[256];
static FRESH int waiting;
static FRESH struct sockaddr_un here, there;
static FRESH socklen_t length, other_length, option_length;
static FRESH int option;
static FRESH sigset_t before, now;

static void look(void) {
  assert(stat("/", &status[0]) == 0 && S_ISDIR(status[0].st_mode));
  assert(lstat("/", &status[1]) == 0 && fstatat(AT_FDCWD, "/", &status[2], 0) == 0);
  assert(stat64("/", &status64[0]) == 0 && lstat64("/", &status64[1]) == 0);
  assert(statfs("/", &system_status) == 0 && system_status.f_bsize > 0);
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur > 0);
  assert(getrusage(RUSAGE_SELF, &usage) == 0);
  assert(uname(&system_name) == 0 && strcmp(system_name.sysname, "Linux") == 0);
  assert(times(&spent) != (clock_t)-1);
  assert(sysinfo(&memory) == 0 && memory.totalram > 0);
  assert(getcwd(text, sizeof text) == text && text[0] == '/');
  assert(readlink("/proc/self/exe", target, sizeof target) > 0 && target[0] == '/');
  assert(gethostname(host, sizeof host) == 0);
}

static void open_all(void) {
  char name[] = "/tmp/heddle-test-XXXXXX";
  const int file = mkstemp(name);
  assert(file >= 0 && fstat(file, &status[3]) == 0 && fstat64(file, &status64[2]) == 0);
  assert(unlink(name) == 0);
  const int made = creat(name, 0600);
  assert(made >= 0);
  FILE* stream = freopen(name, "w", fdopen(made, "w"));
  assert(stream != NULL && fclose(stream) == 0 && unlink(name) == 0);
  FILE* nameless = tmpfile();
  assert(nameless != NULL && fputs("x", nameless) >= 0 && fclose(nameless) == 0);
  FILE* large = fopen64("/proc/self/stat", "r");
  assert(large != NULL && fileno_unlocked(large) >= 0 && fclose(large) == 0);
  assert(open64("/", O_RDONLY) >= 0 && openat64(AT_FDCWD, "/", O_RDONLY) >= 0);
  DIR* directory = opendir("/");
  assert(directory != NULL && closedir(directory) == 0);
  assert(timerfd_create(CLOCK_MONOTONIC, 0) >= 0 && inotify_init() >= 0);
  assert(epoll_create(1) >= 0 && epoll_create1(0) >= 0);
  const int block = memfd_create("block", 0);
  assert(block >= 0 && ftruncate(block, kPage) == 0);
  char* mapped = mmap(NULL, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, block, 0);
  assert(mapped != MAP_FAILED);
  mapped[0] = 'm';
  mapped = mremap(mapped, kPage, 2 * kPage, MREMAP_MAYMOVE);
  assert(mapped != MAP_FAILED && mapped[0] == 'm');
  assert(mmap64(NULL, kPage, PROT_READ, MAP_PRIVATE, block, 0) != MAP_FAILED);
  const int shared = shm_open("/heddle-test-passed-on", O_CREAT | O_RDWR, 0600);
  assert(shared >= 0 && shm_unlink("/heddle-test-passed-on") == 0);
  int pair[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  assert(ioctl(pair[0], FIONREAD, &waiting) == 0 && waiting == 0);
  const int lonely = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(lonely >= 0);
  length = other_length = sizeof here;
  option_length = sizeof option;
  assert(getsockname(pair[0], (struct sockaddr*)&here, &length) == 0);
  assert(getpeername(pair[0], (struct sockaddr*)&there, &other_length) == 0);
  assert(getsockopt(pair[0], SOL_SOCKET, SO_TYPE, &option, &option_length) == 0);
  assert(here.sun_family == AF_UNIX && there.sun_family == AF_UNIX && option == SOCK_STREAM);
}

// Each execution finds these as the first one did.
static void change(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  assert(sigprocmask(SIG_BLOCK, &blocked, &before) == 0 && !sigismember(&before, SIGUSR1));
  assert(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGUSR1));
  const mode_t mask = umask(0123);
  assert(mask != 0123 && umask(0123) == 0123);
  const int root = open("/", O_RDONLY);
  assert(strcmp(getcwd(text, sizeof text), "/") != 0);
  assert(chdir("/proc") == 0 && strcmp(getcwd(text, sizeof text), "/proc") == 0);
  assert(fchdir(root) == 0 && strcmp(getcwd(text, sizeof text), "/") == 0);
}

static void* work(void* unused) {
  look();
  open_all();
  change();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  pthread_join(thread, NULL);
}
