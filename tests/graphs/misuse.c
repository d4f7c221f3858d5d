// A lock that another thread gives back, a lock taken twice, a thread joined twice.
#include <pthread.h>
#include <stdatomic.h>

#include "heddle/heddle.h"

atomic_int turn;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_spinlock_t spin;

void* other(void* argument) {
  (void)argument;
  if (atomic_load(&turn) == 1) pthread_mutex_unlock(&mutex);
  pthread_spin_lock(&spin);
  atomic_store(&turn, 2);
  pthread_spin_unlock(&spin);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_spin_init(&spin, 0);
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&mutex);
  atomic_store(&turn, 1);
  pthread_spin_lock(&spin);
  if (atomic_load(&turn) == 2) pthread_mutex_lock(&mutex);
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  if (atomic_load(&turn) == 1) pthread_join(thread, 0);
  return 0;
}
