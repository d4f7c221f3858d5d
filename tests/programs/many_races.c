// Many races, all found again on every schedule: each is one finding with a count, and all of them
// together are simplified in the time of one.
//
// RUN: --strategy=dfs --keep-going
// EXPECT: fail data-race
// FINDINGS: 16
// PREEMPTIONS: 0
#include <pthread.h>
#include <sched.h>

int cells[16];

static void* work(void* unused) {
  for (int i = 0; i < 2; ++i) sched_yield();
  cells[0] = 1;
  cells[1] = 1;
  cells[2] = 1;
  cells[3] = 1;
  cells[4] = 1;
  cells[5] = 1;
  cells[6] = 1;
  cells[7] = 1;
  cells[8] = 1;
  cells[9] = 1;
  cells[10] = 1;
  cells[11] = 1;
  cells[12] = 1;
  cells[13] = 1;
  cells[14] = 1;
  cells[15] = 1;
  for (int i = 0; i < 2; ++i) sched_yield();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
