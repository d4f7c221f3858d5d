// The reader takes for granted that the writer has filled in what it reads. Nothing ensures it, and
// each access by itself is protected: no race, only the wrong order.
//
// RUN: --strategy=icb
// EXPECT: fail assertion
// CAUSE: order violation
// PREEMPTIONS: 0
// RUN: --strategy=dfs
// EXPECT: fail assertion
// CAUSE: order violation
// RUN: --strategy=portfolio
// EXPECT: fail assertion
// CAUSE: order violation
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int length;

static void* writer(void* unused) {
  pthread_mutex_lock(&mutex);
  length = 3;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* reader(void* unused) {
  pthread_mutex_lock(&mutex);
  int seen = length;
  pthread_mutex_unlock(&mutex);
  assert(seen == 3);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
