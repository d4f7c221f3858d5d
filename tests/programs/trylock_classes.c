// A mutex that one thread takes and another only tries to take: the attempt fails in one of three
// classes. Its failure must be found (some checkers explore none).
//
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 3
// RUN: --strategy=optimal-dpor
// FLAGS: -DMUST_SUCCEED
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* take(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* try_to_take(void* unused) {
  int error = pthread_mutex_trylock(&mutex);
#ifdef MUST_SUCCEED
  assert(error == 0);
#endif
  if (error == 0) pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, take, NULL);
  pthread_create(&other, NULL, try_to_take, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
