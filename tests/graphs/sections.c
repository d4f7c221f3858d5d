// Atomic sections, one of which waits in its middle; threads of threads; an end with a status.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "heddle/heddle.h"

atomic_int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* child(void* argument) {
  (void)argument;
  heddle_atomic_begin();
  atomic_fetch_add(&x, 1);
  pthread_mutex_lock(&mutex);
  atomic_fetch_add(&x, 1);
  pthread_mutex_unlock(&mutex);
  heddle_atomic_end();
  return 0;
}

void* parent(void* argument) {
  (void)argument;
  pthread_t thread;
  pthread_create(&thread, 0, child, 0);
  pthread_mutex_lock(&mutex);
  const int seen = atomic_load(&x);
  pthread_mutex_unlock(&mutex);
  if (seen == 1) exit(3);
  pthread_join(thread, 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, parent, 0);
  atomic_fetch_add(&x, 2);
  pthread_join(thread, 0);
  return 0;
}
