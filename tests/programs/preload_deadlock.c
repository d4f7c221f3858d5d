// A plain binary, neither instrumented nor linked with Heddle: its pthread calls are visible.
//
// DOOR: preload
// RUN: --strategy=icb
// EXPECT: fail deadlock
// PREEMPTIONS: 1
// LOCATION: preload_deadlock.c
#include <pthread.h>

static pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&y);
  pthread_mutex_lock(&x);
  pthread_mutex_unlock(&x);
  pthread_mutex_unlock(&y);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&x);
  pthread_mutex_lock(&y);
  pthread_mutex_unlock(&y);
  pthread_mutex_unlock(&x);
  pthread_join(thread, NULL);
  return 0;
}
