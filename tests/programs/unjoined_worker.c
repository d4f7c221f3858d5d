// main may return before its worker has done anything: a strategy that goes by what threads are
// seen to do must not take it for one that does nothing.
//
// RUN: --strategy=surw --max-executions=2000
// EXPECT: fail assertion
// RUN: --strategy=surw --max-executions=2000 --seed=7
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int steps, other;

static void* worker(void* unused) {
  for (int i = 0; i < 12; ++i) ++steps;
  assert(other == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  other = 1;
  return 0;
}
