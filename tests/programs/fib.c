// Two threads race for the largest Fibonacci number (fib_bench of the SV-COMP collection): every
// access is an atomic operation of its own. N = 6 has 73,789 classes.
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DN=5
// EXECUTIONS: 8953
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 6
#endif

static atomic_int i = 1, j = 1;

static void* add_to_i(void* unused) {
  for (int k = 0; k < N; k++) {
    int first = atomic_load(&i), second = atomic_load(&j);
    atomic_store(&i, first + second);
  }
  return unused;
}

static void* add_to_j(void* unused) {
  for (int k = 0; k < N; k++) {
    int first = atomic_load(&j), second = atomic_load(&i);
    atomic_store(&j, first + second);
  }
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, add_to_i, NULL);
  pthread_create(&other, NULL, add_to_j, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
