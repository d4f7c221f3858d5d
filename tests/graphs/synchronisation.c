// A once control, a reader-writer lock, a semaphore and a barrier.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore;
pthread_barrier_t barrier;
atomic_int x;

void begin(void) {
  atomic_store(&x, 1);
}

void meet(void) {
  pthread_rwlock_unlock(&lock);
  sem_wait(&semaphore);
  sem_post(&semaphore);
  pthread_barrier_wait(&barrier);
}

void* reader(void* argument) {
  (void)argument;
  pthread_once(&once, begin);
  pthread_rwlock_rdlock(&lock);
  meet();
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 1);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, reader, 0);
  pthread_once(&once, begin);
  pthread_rwlock_wrlock(&lock);
  meet();
  pthread_join(thread, 0);
  return 0;
}
