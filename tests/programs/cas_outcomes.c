// A compare-and-swap that fails only looks: what it is dependent with depends on its outcome.
//
// RUN: --strategy=optimal-dpor
// FLAGS: -DFROM=5 -DTHREADS=4
// EXPECT: pass
// EXECUTIONS: 1
// RUN: --strategy=dpor
// FLAGS: -DFROM=5 -DTHREADS=4
// EXPECT: pass
// EXECUTIONS: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DFROM=0 -DTHREADS=5
// EXPECT: pass
// EXECUTIONS: 5
// RUN: --strategy=optimal-dpor
// FLAGS: -DFROM=number-1 -DTHREADS=2
// EXPECT: pass
// EXECUTIONS: 2
// RUN: --strategy=optimal-dpor
// FLAGS: -DFROM=number-1 -DTHREADS=3 -DWINNER=3
// EXPECT: fail assertion
// RUN: --strategy=source-dpor
// FLAGS: -DFROM=number-1 -DTHREADS=3 -DWINNER=1
// EXPECT: fail assertion
// RUN: --strategy=cb-por-2
// FLAGS: -DFROM=number-1 -DTHREADS=3 -DWINNER=2
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long word;

static void* swaps(void* argument) {
  long number = (long)argument, expected = FROM;
  (void)number;
  atomic_compare_exchange_strong(&word, &expected, number);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], 0, swaps, (void*)(i + 1));
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], 0);
#ifdef WINNER
  assert(word != WINNER);
#endif
  return 0;
}
