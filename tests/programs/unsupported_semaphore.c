// Functions that are not controlled yet are named, never silently run.
//
// RUN: --strategy=dfs
// EXPECT: unsupported sem_
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void* work(void* unused) {
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
  sem_wait(&semaphore);
  pthread_join(thread, NULL);
  return 0;
}
