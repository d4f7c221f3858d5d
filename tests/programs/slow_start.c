// Sets up a lot before its threads begin. Where that is repeated for every execution, checkpoints
// are quicker; what is explored and found is the same.
//
// RUN: --strategy=optimal-dpor --checkpoints=never
// EXPECT: pass
// EXECUTIONS: 20
// RUN: --strategy=optimal-dpor --checkpoints=always
// EXPECT: pass
// EXECUTIONS: 20
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 20
// RUN: --strategy=dfs --max-executions=60 --checkpoints=always
// EXPECT: unknown
// EXECUTIONS: 60
// RUN: --strategy=pct --max-executions=60
// EXPECT: unknown
// EXECUTIONS: 60
// RUN: --strategy=optimal-dpor --checkpoints=always --keep-going
// FLAGS: -DWANTED=2
// EXPECT: fail assertion
// EXECUTIONS: 20
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WANTED
#define WANTED 6
#endif

static unsigned table[1 << 19];
static atomic_int x;

static void* add(void* unused) {
  int before = 0;
  for (int i = 0; i < 3; i++) before = atomic_fetch_add(&x, 1);
  assert(before < WANTED && table[before] != 0);
  return unused;
}

int main(void) {
  unsigned state = 1;
  for (int i = 0; i < 1 << 19; i++) table[i] = state = state * 1664525u + 1013904223u;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
