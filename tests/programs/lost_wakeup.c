// The flag is looked at outside the lock: the signal can come between the look and the wait.
//
// RUN: --strategy=icb
// EXPECT: fail deadlock
// CAUSE: lost signal
// PREEMPTIONS: 1
// RUN: --strategy=icb --bound=0
// EXPECT: pass
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void* producer(void* unused) {
  atomic_store(&ready, 1);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, producer, NULL);
  if (!atomic_load(&ready)) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
