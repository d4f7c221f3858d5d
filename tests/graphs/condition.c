// Two threads wait until they are told to go on.
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
atomic_int done;

void* waiter(void* argument) {
  (void)argument;
  pthread_mutex_lock(&mutex);
  while (!atomic_load(&done)) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, waiter, 0);
  pthread_create(&second, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  atomic_store(&done, 1);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&condition);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
