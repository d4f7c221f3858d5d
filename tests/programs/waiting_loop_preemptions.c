// To leave a thread that waits in a loop is no preemption, neither for the search nor for the
// report.
//
// RUN: --strategy=icb --bound=0
// EXPECT: fail assertion
// PREEMPTIONS: 0
// RUN: --strategy=optimal-dpor
// EXPECT: fail assertion
// PREEMPTIONS: 0
// RUN: --strategy=portfolio
// EXPECT: fail assertion
// PREEMPTIONS: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int asked, answered;

static void* answer(void* unused) {
  while (!atomic_load(&asked)) continue;
  atomic_store(&answered, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, answer, NULL);
  atomic_store(&asked, 1);
  while (!atomic_load(&answered)) continue;
  assert(!"reached");
  return 0;
}
