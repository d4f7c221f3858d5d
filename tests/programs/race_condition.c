// A flag under a mutex and a condition; with PEEK it is also looked at without the lock.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DPEEK
// EXPECT: fail data-race
// MESSAGE: (done)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int done, result;

static void* work(void* unused) {
  result = 42;
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&cond);
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
#ifdef PEEK
  if (!done)
#endif
  {
    pthread_mutex_lock(&mutex);
    while (!done) pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
  }
  int seen = result;
  pthread_join(worker, NULL);
  return seen != 42;
}
