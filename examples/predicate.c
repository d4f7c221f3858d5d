// One thread waits until the other is ready. A condition variable has no memory: a signal that
// comes before the wait is gone, and a wait may end without one.
//
//   ./heddle check examples/predicate.c            the waiting thread is never woken
//   ./heddle check examples/predicate.c -DFIXED    correct: it looks at a flag, under the mutex
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* prepare(void* unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, prepare, NULL);
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  while (!ready) pthread_cond_wait(&changed, &mutex);
#else
  pthread_cond_wait(&changed, &mutex);
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
