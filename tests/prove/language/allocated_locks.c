// EXPECT pass
// Locks in blocks of their own, which nobody looks into.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t* mutex;
static sem_t* posted;
static int count;

static void* add(void* unused) {
  pthread_mutex_lock(mutex);
  ++count;
  pthread_mutex_unlock(mutex);
  sem_post(posted);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  mutex = malloc(sizeof *mutex);
  posted = malloc(sizeof *posted);
  if (mutex == NULL || posted == NULL) return 1;
  pthread_mutex_init(mutex, NULL);
  sem_init(posted, 0, 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; ++i) sem_wait(posted);
  pthread_mutex_lock(mutex);
  assert(count == 2);
  pthread_mutex_unlock(mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  pthread_mutex_destroy(mutex);
  free(mutex);
  free(posted);
  return 0;
}
