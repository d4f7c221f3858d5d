// A producer and a consumer of a queue take turns, by two flags. The consumer compares what it
// gets with what was stored at its own count of attempts, successful or not.
// FIXED: it counts the elements it got.
#include <assert.h>

#include "crew.h"

#ifndef SIZE
#define SIZE 8
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int elements[SIZE + 1], head, tail;
static int stored[SIZE + 1];
static int may_put = 1, may_get;

static void* put_all(void* unused) {
  int value = 0;
  pthread_mutex_lock(&lock);
  stored[tail] = value;
  elements[tail++] = value;
  pthread_mutex_unlock(&lock);
  for (int i = 1; i < SIZE; ++i) {
    pthread_mutex_lock(&lock);
    if (may_put) {
      ++value;
#ifdef FIXED
      stored[tail] = value;
#else
      stored[i] = value;
#endif
      elements[tail++] = value;
      may_put = 0;
      may_get = 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* get_all(void* unused) {
  for (int i = 0; i < SIZE; ++i) {
    pthread_mutex_lock(&lock);
    if (may_get) {
      const int value = elements[head++];
#ifdef FIXED
      assert(value == stored[head - 1]);
#else
      assert(value == stored[i]);
#endif
      may_get = 0;
      may_put = 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  start(put_all, 0);
  start(get_all, 0);
  join_all();
}
