// Detached threads, by attribute and by call; main waits for them with a condition variable.
//
// RUN: --strategy=icb --bound=2
// EXPECT: pass
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int running = 2;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  if (--running == 0) pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&a, &attributes, work, NULL);
  pthread_attr_destroy(&attributes);
  pthread_create(&b, NULL, work, NULL);
  assert(pthread_detach(b) == 0);
  pthread_mutex_lock(&mutex);
  while (running > 0) pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
