// Two workers wait for the word to go; whoever asks whether it was given, and waits only after it
// has been given, waits for ever, because the question is not asked under the lock.
// FIXED: it is.
#include <stdatomic.h>

#include "crew.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static atomic_int given;

static void* work(void* unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
  while (!given) pthread_cond_wait(&go, &lock);
  pthread_mutex_unlock(&lock);
#else
  if (!given) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&go, &lock);
    pthread_mutex_unlock(&lock);
  }
#endif
  return unused;
}

static void* give(void* unused) {
  pthread_mutex_lock(&lock);
  given = 1;
  pthread_cond_broadcast(&go);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  start_many(2, work);
  start(give, 0);
  join_all();
}
