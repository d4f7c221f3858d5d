// heddle_assume: executions that break it end there, quietly, and what the other threads would
// still have done is not lost to a reduction.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// GUARANTEE: all executions
// RUN: --strategy=cb-por-2
// EXPECT: pass
// RUN:
// FLAGS: -DTHE_OTHER_FAILS
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHE_OTHER_FAILS
// EXPECT: fail assertion
// RUN: --strategy=source-dpor --keep-going
// FLAGS: -DTHE_OTHER_FAILS
// EXPECT: fail assertion
// FINDINGS: 1
// RUN: --strategy=dpor
// FLAGS: -DNEVER
// EXPECT: unknown
// GUARANTEE: none of them kept its assumptions
// RUN: --strategy=dfs
// FLAGS: -DNEVER
// EXPECT: unknown
// GUARANTEE: none of them kept its assumptions
// RUN: --strategy=optimal-dpor
// FLAGS: -DHOLDS_LOCK
// EXPECT: pass
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Only executions in which this thread comes first are of interest.
static void* assumes(void* unused) {
#ifdef HOLDS_LOCK
  pthread_mutex_lock(&mutex);
#endif
#ifdef NEVER
  heddle_assume(0);
#endif
  heddle_assume(atomic_load(&second) == 0);
  atomic_store(&first, 1);
#ifdef HOLDS_LOCK
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

static void* other(void* unused) {
  atomic_store(&second, 1);
#ifdef THE_OTHER_FAILS
  heddle_assert(atomic_load(&first) == 1);
#endif
#ifdef HOLDS_LOCK
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, assumes, 0);
  pthread_create(&threads[1], 0, other, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  heddle_assert(atomic_load(&first) == 1);
  return 0;
}
