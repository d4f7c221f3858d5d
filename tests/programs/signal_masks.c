// Which signals are blocked is each thread's own, and a signal that a thread sends itself waits for
// that thread; one that is sent to the process waits for the first that does not block it.
//
// FLAGS: -D_GNU_SOURCE
// RUN: --strategy=dfs
// FLAGS: -DCASE=0 -DALONE
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// FLAGS: -DCASE=0
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DCASE=0
// EXPECT: pass
// EXECUTIONS: 2
// RUN: --strategy=dfs
// FLAGS: -DCASE=1
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DCASE=1
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DCASE=1
// EXPECT: fail assertion
// RUN: --strategy=dfs
// FLAGS: -DCASE=2
// EXPECT: fail death
// RUN: --strategy=icb
// FLAGS: -DCASE=2
// EXPECT: fail death
// RUN: --strategy=optimal-dpor
// FLAGS: -DCASE=2
// EXPECT: fail death
// RUN: --strategy=dfs
// FLAGS: -DCASE=3
// EXPECT: fail death
// RUN: --strategy=icb
// FLAGS: -DCASE=3
// EXPECT: fail death
// RUN: --strategy=portfolio
// FLAGS: -DCASE=3
// EXPECT: fail death
// NOTE: searched with icb
// RUN: --strategy=dfs
// FLAGS: -DCASE=4
// EXPECT: unsupported a signal that another thread than its sender handles
// RUN: --strategy=icb
// FLAGS: -DCASE=4
// EXPECT: unsupported a signal that another thread than its sender handles
// RUN: --strategy=optimal-dpor
// FLAGS: -DCASE=5
// EXPECT: fail assertion
// RUN: --strategy=dfs
// FLAGS: -DCASE=5
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int handled[3], number;
static _Thread_local int me;
static char written[20000];

static void handler(int signal) {
  ++handled[me];
  (void)signal;
}

static sigset_t set_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

static void change(int how, int signal) {
  const sigset_t set = set_of(signal);
  assert(pthread_sigmask(how, &set, NULL) == 0);
}

static int is_blocked(int signal) {
  sigset_t now;
  assert(sigprocmask(SIG_BLOCK, NULL, &now) == 0);
  return sigismember(&now, signal);
}

static int waits(int signal) {
  sigset_t now;
  assert(sigpending(&now) == 0);
  return sigismember(&now, signal);
}

static void* nothing(void* unused) {
  return unused;
}

#if CASE == 0
// Everything about one's own mask, with another thread that does the same in between.
static void* work(void* unused) {
  me = ++number;
  assert(is_blocked(SIGUSR2) && !is_blocked(SIGUSR1));
  change(SIG_BLOCK, SIGUSR1);
  sched_yield();
  assert(is_blocked(SIGUSR1) && !waits(SIGUSR1));
  raise(SIGUSR1);
  raise(SIGRTMIN + 5);
  sched_yield();
  assert(waits(SIGUSR1) && handled[me] == 1);
  change(SIG_UNBLOCK, SIGUSR1);
  assert(handled[me] == 2 && !waits(SIGUSR1));
  sigset_t all;
  sigfillset(&all);
  assert(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0 && is_blocked(SIGSEGV));
  assert(!is_blocked(SIGKILL) && pthread_sigmask(77, &all, NULL) != 0);
  for (int i = me; i < 20000; i += 1000) written[i] = 1;  // pages written for the first time
  raise(SIGRTMIN + 5);
  raise(SIGRTMIN + 5);
  sched_yield();
  free(malloc(100000));
  sigemptyset(&all);
  assert(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0 && handled[me] == 4);
  return unused;
}
#elif CASE == 1
// Both take what waits for the process if the other one has not.
static void* work(void* unused) {
  me = 1;
  change(SIG_UNBLOCK, SIGUSR2);
  return unused;
}
#elif CASE == 2
// The other one blocks it for itself only.
static void* work(void* unused) {
  change(SIG_BLOCK, SIGUSR1);
  sched_yield();
  return unused;
}
#elif CASE == 3
// Who is there and does not block it takes it.
static void* work(void* unused) {
  change(SIG_UNBLOCK, SIGUSR2);
  return unused;
}
#elif CASE == 4
static void* work(void* unused) {
  change(SIG_UNBLOCK, SIGUSR2);
  change(SIG_BLOCK, SIGUSR2);
  return unused;
}
#else
// What waits is dropped when the other one has it ignored, also while it waits for one that does
// not run.
static void* work(void* unused) {
  signal(SIGUSR2, SIG_IGN);
  signal(SIGUSR2, handler);
  return unused;
}
#endif

int main(void) {
  change(SIG_BLOCK, SIGUSR2);
  pthread_t thread, other;
#if CASE == 0
  signal(SIGUSR1, handler);
  signal(SIGRTMIN + 5, handler);
  pthread_create(&thread, NULL, work, NULL);
#ifdef ALONE
  pthread_create(&other, NULL, nothing, NULL);
#else
  pthread_create(&other, NULL, work, NULL);
#endif
  pthread_join(thread, NULL);
  pthread_join(other, NULL);
  assert(is_blocked(SIGUSR2) && !is_blocked(SIGUSR1) && handled[0] == 0);
#elif CASE == 1
  (void)other, (void)waits;
  signal(SIGUSR2, handler);
  assert(kill(getpid(), SIGUSR2) == 0 && waits(SIGUSR2));
  pthread_create(&thread, NULL, work, NULL);
  change(SIG_UNBLOCK, SIGUSR2);
  pthread_join(thread, NULL);
  assert(handled[0] + handled[1] == 1);
  assert(handled[1] == 0);
#elif CASE == 2
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  raise(SIGUSR1);
  pthread_join(thread, NULL);
#elif CASE == 3 || CASE == 4
  if (CASE == 4) signal(SIGUSR2, handler);
  pthread_create(&thread, NULL, work, NULL);
  kill(getpid(), SIGUSR2);
  pthread_join(thread, NULL);
  if (CASE == 3) assert(waits(SIGUSR2));
#else
  signal(SIGUSR2, handler);
  raise(SIGUSR2);
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  change(SIG_UNBLOCK, SIGUSR2);
  pthread_join(thread, NULL);
  assert(handled[0] == 1);
#endif
  (void)other, (void)waits, (void)is_blocked, (void)written, (void)nothing, (void)handler,
      (void)number, (void)me;
}
