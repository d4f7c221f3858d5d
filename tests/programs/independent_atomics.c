// Each thread works on its own atomic variable: naive enumeration does not care and takes every
// order of the steps.
//
// EXPECT: pass
// MODEL: main = create a; create b; join a; join b
// MODEL: a = 2 step
// MODEL: b = 2 step
// EXECUTIONS: model
// RUN: --strategy=dfs
// RUN: --strategy=icb
// RUN: --strategy=icb --bound=0
// GUARANTEE: all executions without preemptions
// RUN: --strategy=icb --bound=1
// GUARANTEE: at most 1 preemption
// RUN: --strategy=icb --bound=2
// GUARANTEE: at most 2 preemptions
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int cells[2];

static void* work(void* cell) {
  atomic_store((atomic_int*)cell, 1);
  atomic_fetch_add((atomic_int*)cell, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &cells[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(cells[0] == 2 && cells[1] == 2);
  return 0;
}
