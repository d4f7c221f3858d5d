// Loops that look at what they wait for in some of their rounds only, or that have a loop inside
// that counts in a volatile variable: they wait, and the search ends.
//
// EXPECT: pass
// GUARANTEE: taken to wait
// RUN: --strategy=dfs
// RUN: --strategy=icb
// RUN: --strategy=optimal-dpor
// RUN: --strategy=portfolio
// RUN: --strategy=dfs
// FLAGS: -DINNER_LOOP
// RUN: --strategy=icb
// FLAGS: -DINNER_LOOP
// RUN: --strategy=optimal-dpor
// FLAGS: -DINNER_LOOP
// RUN: --strategy=portfolio
// FLAGS: -DINNER_LOOP
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, other;
static volatile unsigned pause_rounds;  // the waiter's own
static int message;

static void* wait_for_message(void* unused) {
#ifdef INNER_LOOP
  for (unsigned rounds = 0; !atomic_load(&done); ++rounds)
    for (pause_rounds = 0; pause_rounds < (rounds & 3); ++pause_rounds) continue;
#else
  for (unsigned rounds = 0; rounds % 8 != 0 || !atomic_load(&done); ++rounds)
    if (atomic_load(&other)) return unused;
#endif
  assert(message == 7);
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_message, NULL);
  message = 7;
  atomic_store(&done, 1);
  pthread_join(waiter, NULL);
  return 0;
}
