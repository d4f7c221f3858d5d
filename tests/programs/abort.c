// abort() in one order only.
//
// RUN: --strategy=icb
// EXPECT: fail abort
// PREEMPTIONS: 1
// LOCATION: abort.c
// RUN: --strategy=dfs --keep-going
// EXPECT: fail abort
// FINDINGS: 1
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int state;

static void* work(void* unused) {
  atomic_store(&state, 1);
  atomic_store(&state, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  if (atomic_load(&state) == 1) abort();
  pthread_join(thread, NULL);
  return 0;
}
