// A thousand threads alive at once.
//
// EXPECT: unknown
// EXECUTIONS: 5
// RUN: --strategy=dfs --max-executions=5
// RUN: --strategy=random --max-executions=5
#include <assert.h>
#include <pthread.h>

enum { THREADS = 1000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) assert(pthread_create(&threads[i], NULL, work, NULL) == 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert(counter == THREADS);
  return 0;
}
