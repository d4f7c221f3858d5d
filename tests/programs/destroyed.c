// A mutex and a condition that are used after their destruction.
//
// RUN: --strategy=icb
// FLAGS: -DMUTEX
// EXPECT: fail mutex-misuse
// MESSAGE: locks a mutex that has been destroyed
// RUN: --strategy=icb
// FLAGS: -DCONDITION
// EXPECT: fail cond-misuse
// MESSAGE: signals a condition variable that has been destroyed
// RUN: --strategy=dfs
// FLAGS: -DAGAIN
// EXPECT: pass
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void* use(void* unused) {
#ifdef CONDITION
  pthread_cond_signal(&cond);
#else
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t user;
#ifdef AGAIN
  pthread_mutex_destroy(&mutex);
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_destroy(&cond);
  pthread_cond_init(&cond, NULL);
#endif
  pthread_create(&user, NULL, use, NULL);
#ifdef MUTEX
  pthread_mutex_destroy(&mutex);
#elif defined(CONDITION)
  pthread_cond_destroy(&cond);
#endif
  pthread_join(user, NULL);
  return 0;
}
