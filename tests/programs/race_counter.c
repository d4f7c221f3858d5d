// Two threads increment a plain counter. The race shows in whatever order they run.
//
// RUN: --strategy=icb
// EXPECT: fail data-race
// CAUSE: missing lock
// PREEMPTIONS: 0
// EXECUTIONS: 1
// LOCATION: race_counter.c:19
// MESSAGE: (counter)
// RUN: --races=off
// EXPECT: pass
// RUN: --strategy=dfs --keep-going
// EXPECT: fail data-race
// FINDINGS: 1
#include <pthread.h>

static int counter;
static void increment(void) {
  counter += 1;
}

static void* worker(void* unused) {
  increment();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return counter == 0;
}
