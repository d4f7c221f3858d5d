// One waits, one signals, nobody looks at a flag: the model has the same lost signals, and both
// ends (woken and stuck) count as executions.
//
// MODEL: main = create a; create b; join a; join b
// MODEL: a = lock m; wait c m; unlock m
// MODEL: b = lock m; signal c; unlock m
// EXPECT: fail deadlock
// EXECUTIONS: model
// RUN: --strategy=dfs --keep-going
// RUN: --strategy=icb --keep-going
// RUN: --strategy=icb --keep-going --bound=1
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* signaller(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, NULL);
  pthread_create(&b, NULL, signaller, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
