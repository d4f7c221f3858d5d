// A signal that nobody waits for is gone: without a flag the late waiter sleeps for ever.
//
// RUN: --strategy=icb
// EXPECT: fail deadlock
// PREEMPTIONS: 0
// RUN: --strategy=dfs
// EXPECT: fail deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_cond_signal(&cond);
  pthread_join(thread, NULL);
  return 0;
}
