// What would change the process for good, or send it signals by the clock, is refused by name.
//
// FLAGS: -D_GNU_SOURCE -w
// RUN: --strategy=icb
// ARGUMENTS: daemon
// EXPECT: unsupported daemon
// RUN: --strategy=icb
// ARGUMENTS: setitimer
// EXPECT: unsupported setitimer
// RUN: --strategy=icb
// ARGUMENTS: ualarm
// EXPECT: unsupported ualarm
// RUN: --strategy=icb
// ARGUMENTS: alarm
// EXPECT: unsupported alarm
// RUN: --strategy=icb
// ARGUMENTS: ptrace
// EXPECT: unsupported ptrace
// RUN: --strategy=icb
// ARGUMENTS: pidfd_open
// EXPECT: unsupported pidfd_open
// RUN: --strategy=icb
// ARGUMENTS: pidfd_by_number
// EXPECT: unsupported SYS_pidfd_open
// RUN: --strategy=icb
// ARGUMENTS: setsid
// EXPECT: unsupported setsid
// RUN: --strategy=icb
// ARGUMENTS: setrlimit
// EXPECT: unsupported setrlimit
// RUN: --strategy=icb
// ARGUMENTS: prctl
// EXPECT: unsupported prctl
// RUN: --strategy=icb
// ARGUMENTS: killpg
// EXPECT: unsupported killpg
// RUN: --strategy=icb
// ARGUMENTS: waitid
// EXPECT: unsupported waitid
#include <grp.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

int pidfd_open(pid_t process, unsigned flags);

__attribute__((aligned(4096))) static char page[4096] = {1};

static void call(const char* name) {
#define IS(function) if (strcmp(name, #function) == 0)
  const struct itimerval soon = {{0, 500}, {0, 500}};
  struct rlimit limit = {1 << 20, 1 << 20};
  const struct timespec moment = {0, 0};
  const struct timeval second = {0, 0};
  wordexp_t words;
  int master, slave;
  siginfo_t info;
  IS(daemon) daemon(1, 1);
  IS(setitimer) setitimer(ITIMER_REAL, &soon, NULL);
  IS(ualarm) ualarm(500, 0);
  IS(alarm) alarm(1);
  IS(ptrace) ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  IS(pidfd_open) pidfd_open(getpid(), 0);
  IS(pidfd_by_number) syscall(SYS_pidfd_open, getpid(), 0);
  IS(setsid) setsid();
  IS(killpg) killpg(0, 0);
  IS(setpgrp) setpgrp();
  IS(setrlimit) setrlimit(RLIMIT_AS, &limit);
  IS(prctl) prctl(PR_SET_PDEATHSIG, SIGTERM);
  IS(munmap) munmap(page, sizeof page);
  IS(chroot) chroot("/");
  IS(unshare) unshare(CLONE_NEWNS);
  IS(setns) setns(0, 0);
  IS(mount) mount("a", "/b", "c", 0, NULL);
  IS(umount2) umount2("/b", 0);
  IS(personality) personality(0);
  IS(mlockall) mlockall(MCL_FUTURE);
  IS(initgroups) initgroups("nobody", 65534);
  IS(setfsuid) setfsuid(1);
  IS(setfsgid) setfsgid(1);
  IS(sigpause) sigpause(SIGUSR1);
  IS(forkpty) forkpty(&master, NULL, NULL, NULL);
  IS(openpty) openpty(&master, &slave, NULL, NULL, NULL);
  IS(wordexp) wordexp("$(true)", &words, 0);
  IS(clock_settime) clock_settime(CLOCK_REALTIME, &moment);
  IS(settimeofday) settimeofday(&second, NULL);
  IS(process_vm_writev) process_vm_writev(1, NULL, 0, NULL, 0, 0);
  IS(waitid) waitid(P_ALL, 0, &info, WEXITED);
  IS(wait3) wait3(NULL, 0, NULL);
  IS(wait4) wait4(-1, NULL, 0, NULL);
}

static void* worker(void* name) {
  call(name);
  return NULL;
}

int main(int count, char** arguments) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, arguments[count - 1]);
  pthread_join(thread, NULL);
}
