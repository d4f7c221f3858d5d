// Loops that count are no loops that wait: looking for these costs no execution.
//
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: 924
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* count(void* unused) {
  for (int i = 0; i < 4; ++i) atomic_store(&x, i);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  atomic_load(&x);
  count(NULL);
  pthread_exit(NULL);
}
