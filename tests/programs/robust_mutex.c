// Robust mutexes: whoever locks one after its owner has ended hears of it, and either makes it
// consistent or makes it unusable.
//
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNOT_ROBUST
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DNOT_REPAIRED
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNOBODY_DIES
// EXPECT: fail assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void* dies(void* unused) {
  pthread_mutex_lock(&mutex);
#ifdef NOBODY_DIES
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
#ifndef NOT_ROBUST
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
#endif
  pthread_mutex_init(&mutex, &kind);
  pthread_t thread;
  pthread_create(&thread, 0, dies, 0);
  int result = pthread_mutex_lock(&mutex);  // perhaps before the other
  assert(result == 0 || result == EOWNERDEAD);
  if (result == 0) {
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    result = pthread_mutex_trylock(&mutex);
    assert(result == EOWNERDEAD);
  } else {
    pthread_join(thread, 0);
  }
#ifdef NOT_REPAIRED
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
  assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
#else
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
#endif
  return 0;
}
