// A retry loop around compare-and-swap loses nothing. The loop ends in every schedule: an attempt
// fails only because the other thread's succeeded.
//
// EXPECT: pass
// RUN: --strategy=dfs
// RUN: --strategy=icb
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void* increment(void* unused) {
  int seen = atomic_load(&counter);
  while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1)) continue;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&counter) == 2);
  return 0;
}
