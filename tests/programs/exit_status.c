// A thread ends the program with status 3 when it is the first to arrive; main returns 4 when it
// is. Both are findings, and none of them ends the search.
//
// RUN: --strategy=icb
// EXPECT: fail exit-status
// PREEMPTIONS: 0
// MESSAGE: 4
// RUN: --strategy=dfs --keep-going
// EXPECT: fail exit-status
// FINDINGS: 2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int arrived;

static void* work(void* unused) {
  if (atomic_fetch_add(&arrived, 1) == 0) exit(3);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  if (atomic_fetch_add(&arrived, 1) == 0) return 4;
  pthread_join(thread, NULL);
  return 0;
}
