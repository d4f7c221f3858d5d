// Loops that count their rounds never come back to the same state: one yields, one backs off, one
// just looks. They wait all the same, and the search ends.
//
// EXPECT: pass
// GUARANTEE: taken to wait
// RUN: --strategy=dfs
// RUN: --strategy=icb
// RUN: --strategy=optimal-dpor
// RUN: --strategy=portfolio
// RUN: --strategy=dpor --bound=2
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready, done;
static int message;

static void* send(void* unused) {
  message = 7;
  atomic_store(&ready, 1);
  for (unsigned rounds = 0; !atomic_load(&done); ++rounds)
    for (volatile unsigned pause = 0; pause < (rounds & 15); ++pause) continue;
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, NULL, send, NULL);
  long rounds = 0;
  while (!atomic_load(&ready)) {
    ++rounds;
    sched_yield();
  }
  assert(message == 7 && rounds >= 0);
  atomic_store(&done, 1);
  pthread_join(sender, NULL);
  return 0;
}
