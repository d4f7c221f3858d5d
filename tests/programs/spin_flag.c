// A thread that waits in a loop for a flag waits; it does not make the search endless.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=portfolio
// EXPECT: pass
// RUN: --strategy=portfolio
// FLAGS: -DYIELD
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DYIELD
// EXPECT: pass
// RUN: --strategy=pct --max-executions=100
// FLAGS: -DSLEEP
// EXPECT: unknown
// RUN: --strategy=icb
// FLAGS: -DNOBODY
// EXPECT: fail livelock
// PREEMPTIONS: 0
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOBODY
// EXPECT: fail livelock
// RUN: --strategy=portfolio
// FLAGS: -DNOBODY -DYIELD
// EXPECT: fail livelock
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int ready;  // not static: a compiler would see that nobody sets it
static int data;

static void* wait_for_it(void* unused) {
  while (!atomic_load(&ready)) {
#ifdef YIELD
    sched_yield();
#endif
#ifdef SLEEP
    usleep(10);
#endif
  }
  assert(data == 42);
  return unused;
}

static void* prepare(void* unused) {
  data = 42;
#ifndef NOBODY
  atomic_store(&ready, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t waiter, other;
  pthread_create(&waiter, NULL, wait_for_it, NULL);
  pthread_create(&other, NULL, prepare, NULL);
  pthread_join(waiter, NULL);
  pthread_join(other, NULL);
  return 0;
}
