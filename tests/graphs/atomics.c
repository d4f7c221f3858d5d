// A choice, compare-and-swaps that may fail, a lock that is tried.
#include <pthread.h>
#include <stdatomic.h>

#include "heddle/heddle.h"

atomic_int x, y;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* worker(void* argument) {
  (void)argument;
  int expected = 0;
  if (atomic_compare_exchange_strong(&x, &expected, 1)) atomic_fetch_add(&y, 1);
  if (pthread_mutex_trylock(&mutex) == 0) {
    atomic_load(&y);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  heddle_choose(2);
  atomic_store(&y, 5);
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  atomic_load(&x);
  return 0;
}
