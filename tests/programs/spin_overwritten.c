// One thread writes, waits in a loop for the other, and finds its value overwritten. No preemption
// is needed for that: a thread that waits in a loop is not preempted when another goes on. Nor by a
// reduction within a bound, which never lets the loop make a round for nothing.
//
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=0
// RUN: --strategy=dpor --bound=0
// RUN: --bound=0
// RUN: --strategy=optimal-dpor
// RUN: --strategy=dpor --bound=0
// FLAGS: -DYIELDS
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value, ready;

static void* waits(void* unused) {
  atomic_store(&value, 1);
  while (atomic_load(&ready) == 0) {
#ifdef YIELDS
    sched_yield();
#endif
  }
  assert(atomic_load(&value) == 1);
  return unused;
}

static void* overwrites(void* unused) {
  atomic_store(&value, 2);
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, waits, NULL);
  pthread_create(&threads[1], NULL, overwrites, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
