// A recursive mutex counts; it is free only after as many unlocks.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int inside;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_trylock(&mutex) == 0);
  assert(inside++ == 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  --inside;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  assert(inside == 0);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
