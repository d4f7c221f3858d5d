// An unprotected increment. Between synchronisation operations nothing switches, so the lost
// update needs memory accesses as scheduling points.
//
// RUN: --strategy=icb --visible=all --races=off
// EXPECT: fail assertion
// PREEMPTIONS: 1
// RUN: --strategy=dfs --visible=all --races=off
// EXPECT: fail assertion
// RUN: --strategy=dfs --visible=sync --races=off
// EXPECT: pass
// RUN: --strategy=dfs --visible=sync
// EXPECT: fail data-race
// RUN: --strategy=icb --visible=all --keep-going
// EXPECT: fail assertion data-race
#include <assert.h>
#include <pthread.h>

static int counter;

static void* work(void* unused) {
  counter++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
