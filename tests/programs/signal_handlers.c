// Handlers for signals that a thread brings upon itself, installed in all the ways there are, and
// gone again when the next execution begins. A handler may jump out, or repair what is broken.
// With real threads, the signal that the process sends itself may meet the other thread.
//
// LIBTSAN: no
// FLAGS: -D_GNU_SOURCE -w
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DUNHANDLED
// EXPECT: fail crash
// RUN: --strategy=dfs
// FLAGS: -DWRONG
// EXPECT: fail assertion
// RUN: --strategy=dfs
// DOOR: preload
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

extern sighandler_t bsd_signal(int, sighandler_t);
extern sighandler_t __sysv_signal(int, sighandler_t);
extern sighandler_t sigset(int, sighandler_t);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sigjmp_buf back;
static volatile int handled, early;
static char* page;

static void handler(int number) {
  handled = number;
}

static void jump(int number) {
  pthread_mutex_lock(&mutex);  // a thread may be switched here, too
  pthread_mutex_unlock(&mutex);
  siglongjmp(back, number);
}

static void repair(int number, siginfo_t* info, void* context) {
  assert(number == SIGSEGV && (char*)info->si_addr == page + 8 && context != NULL);
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

// Two bytes: ud2. The program goes on behind them.
static void skip(int number, siginfo_t* info, void* context) {
  (void)info;
  handled = number;
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

__attribute__((constructor)) static void install_early(void) {
  signal(SIGFPE, handler);
  raise(SIGFPE);
  early = handled;
}

static void once(sighandler_t (*install)(int, sighandler_t), int number) {
  assert(install(number, handler) != SIG_ERR);
  handled = 0;
  raise(number);
  assert(handled == number);
}

static int crash(volatile int* where) {
  const int number = sigsetjmp(back, 1);
  if (number == 0) *where = 1;
  return number;
}

static void* work(void* unused) {
  handled = 0;
  raise(SIGFPE);
  assert(early == SIGFPE && handled == SIGFPE);
  handled = 0;
  signal(SIGUSR2, handler);
  kill(getpid(), SIGUSR2);
  assert(handled == SIGUSR2);
  sighandler_t (*const ways[])(int, sighandler_t) = {signal, __sysv_signal, bsd_signal, ssignal,
                                                     sigset};
  for (int i = 0; i < 5; ++i) {
    once(ways[i], SIGUSR1);
    once(ways[i], SIGBUS);
  }
#ifndef UNHANDLED
  struct sigaction action = {.sa_handler = jump}, old;
  assert(sigaction(SIGSEGV, &action, &old) == 0 && old.sa_handler == SIG_DFL);
#endif
  assert(crash(NULL) == SIGSEGV);
  page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction fix = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &fix, NULL);
  volatile double kept = 1.5;
  page[8] = 'x';
  assert(page[8] == 'x' && kept == 1.5);
  struct sigaction over = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO | SA_RESETHAND};
  sigaction(SIGILL, &over, NULL);
  __asm__ volatile("ud2");
  assert(handled == SIGILL);
  sigaction(SIGILL, NULL, &over);
  assert(over.sa_handler == SIG_DFL);
#ifdef WRONG
  assert(handled == SIGFPE);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
