// The thread takes the process with it when it looks between the two stores. Each death is a
// finding, and the search goes on behind it. Executions: the look comes before both stores (its end
// then has 3 places), after both (its start then has 3 places) or between, where nothing follows
// (its start then has 2 places): 8. Killing by a signal is one step more, which may come after the
// second store: 10.
//
// RUN: --strategy=icb --keep-going
// EXPECT: fail death
// FLAGS: -DDIE=kill(getpid(),SIGKILL)
// MESSAGE: signal 9
// EXECUTIONS: 10
// RUN: --strategy=dfs --keep-going
// EXPECT: fail death
// FLAGS: -DDIE=syscall(SYS_exit_group,0)
// EXECUTIONS: 8
// RUN: --strategy=icb --bound=0
// FLAGS: -DDIE=kill(getpid(),SIGKILL)
// EXPECT: pass
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;

static void* work(void* unused) {
  if (atomic_load(&state) == 1) DIE;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  atomic_store(&state, 1);
  atomic_store(&state, 0);
  pthread_join(thread, NULL);
  return 0;
}
