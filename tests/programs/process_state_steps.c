// What signals do, the working directory and the mask of new files are the process's: changing one
// and asking for it are steps, in both orders.
//
// RUN: --strategy=dfs
// FLAGS: -D_GNU_SOURCE -DCASE=0
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DCASE=0
// EXPECT: fail assertion
// RUN: --strategy=cb-por-2
// FLAGS: -D_GNU_SOURCE -DCASE=0
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DCASE=1
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DCASE=2
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DCASE=3
// EXPECT: fail assertion
// RUN: --strategy=portfolio --equivalence=reads-from
// FLAGS: -D_GNU_SOURCE -DCASE=4
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DCASE=5
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DCASE=6
// EXPECT: pass
// EXECUTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int handled;

static void handler(int unused) {
  (void)unused;
  handled = 1;
}

static void* changes(void* unused) {
#if CASE < 4
  signal(SIGUSR2, handler);
#elif CASE == 4
  assert(chdir("/tmp") == 0);
#elif CASE == 5
  umask(077);
#else
  raise(SIGUSR2);
#endif
  return unused;
}

int main(void) {
  char where[100] = "";
  signal(SIGUSR2, SIG_IGN);
  assert(chdir("/") == 0);
  umask(022);
  pthread_t thread;
  pthread_create(&thread, NULL, changes, NULL);
#if CASE == 0
  raise(SIGUSR2);
#elif CASE == 1
  kill(getpid(), SIGUSR2);
#elif CASE == 2
  struct sigaction before;
  sigaction(SIGUSR2, NULL, &before);
  handled = before.sa_handler == handler;
#elif CASE == 3
  handled = signal(SIGUSR2, SIG_IGN) == handler;
#elif CASE == 4
  handled = getcwd(where, sizeof where) != NULL && strcmp(where, "/tmp") == 0;
#elif CASE == 5
  handled = umask(0) == 077;
#else
  raise(SIGUSR2);
#endif
  pthread_join(thread, NULL);
  assert(handled == 0);
}
