// Two polite threads that wait for each other: every step is visible, none leads anywhere.
//
// RUN: --strategy=icb --max-steps=1000
// EXPECT: fail livelock
// RUN: --strategy=dfs --max-steps=1000
// EXPECT: fail livelock
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int a_ready, b_ready;

static void* a(void* unused) {
  while (!atomic_load(&b_ready)) sched_yield();
  atomic_store(&a_ready, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, a, NULL);
  while (!atomic_load(&a_ready)) sched_yield();
  atomic_store(&b_ready, 1);
  pthread_join(thread, NULL);
  return 0;
}
