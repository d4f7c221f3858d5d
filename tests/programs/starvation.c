// A thread counts how long it waits, so that its rounds are no mere waiting. Schedules that never
// let the other one run are endless, but unfair: not a bug of the program.
//
// RUN: --strategy=icb --bound=0 --max-steps=300
// EXPECT: unknown
// GUARANTEE: except beyond the limit of steps
// RUN: --strategy=dfs --max-steps=300 --max-executions=100
// EXPECT: unknown
// RUN: --strategy=optimal-dpor --max-steps=300 --max-executions=100
// EXPECT: unknown
// RUN: --strategy=pct --max-steps=300 --max-executions=100
// EXPECT: unknown
// RUN: --max-steps=300 --max-executions=400 --strategy=portfolio
// EXPECT: unknown
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void* waits(void* unused) {
  while (!atomic_load(&flag)) atomic_fetch_add(&rounds, 1);
  return unused;
}

static void* raises(void* unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waits, NULL);
  pthread_create(&b, NULL, raises, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
