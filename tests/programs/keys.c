// Thread-specific data: each thread has its own, destructors run at its end, as often as they leave
// something behind; a key that is deleted has none.
//
// RUN: --strategy=icb --bound=2
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// FLAGS: -DDESTROYED_LATER
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_key_t key;
static int destroyed[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void destroy(void* value) {
  const int which = (int)(intptr_t)value - 1;
  pthread_mutex_lock(&mutex);
  const int times = ++destroyed[which];
  pthread_mutex_unlock(&mutex);
  if (times < 3) pthread_setspecific(key, value);  // once more
}

static void never(void* value) {
  assert(value == NULL);
}

static void* work(void* value) {
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, value);
  pthread_key_t deleted;
  assert(pthread_key_create(&deleted, never) == 0);
  assert(pthread_setspecific(deleted, value) == 0 && pthread_key_delete(deleted) == 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  assert(pthread_getspecific(key) == value);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  assert(pthread_key_create(&key, destroy) == 0);
  pthread_setspecific(key, &one);
  pthread_create(&one, NULL, work, (void*)1);
  pthread_create(&two, NULL, work, (void*)2);
#ifdef DESTROYED_LATER
  pthread_mutex_lock(&mutex);
  assert(destroyed[0] == 0);  // wrong
  pthread_mutex_unlock(&mutex);
#endif
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(destroyed[0] == 3 && destroyed[1] == 3);
  assert(pthread_getspecific(key) == &one);
  pthread_setspecific(key, NULL);
}
