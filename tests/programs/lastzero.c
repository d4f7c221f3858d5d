// A thread looks for the last zero of an array, from its end, while N others fill it (Abdulla et
// al., POPL 2014). Classes: 64 for N = 5, 704 for 8, 3,328 for 10, 32,768 for 13, 147,456 for 15.
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DN=5
// EXECUTIONS: 64
// RUN: --strategy=optimal-dpor
// FLAGS: -DN=8
// EXECUTIONS: 704
// RUN: --strategy=optimal-dpor
// FLAGS: -DN=10
// EXECUTIONS: 3328
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 13
#endif

static atomic_int array[N + 1];

static void* look(void* unused) {
  int i = N;
  while (atomic_load(&array[i]) != 0) i--;
  return unused;
}

static void* fill(void* argument) {
  int j = (int)(long)argument;
  atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], NULL, look, NULL);
  for (long j = 1; j <= N; j++) pthread_create(&threads[j], NULL, fill, (void*)j);
  for (int j = 0; j <= N; j++) pthread_join(threads[j], NULL);
  return 0;
}
