// A broadcast wakes all; a signal in its place leaves one behind.
//
// RUN: --strategy=icb --bound=2
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -Dpthread_cond_broadcast=pthread_cond_signal
// EXPECT: fail deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int open;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!open) pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  open = 1;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
