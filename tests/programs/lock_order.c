// Two locks taken in opposite orders. One preemption, between the locks, is enough and needed.
//
// MODEL: main = create a; create b; join a; join b
// MODEL: a = lock x; lock y; unlock y; unlock x
// MODEL: b = lock y; lock x; unlock x; unlock y
// RUN: --strategy=icb
// EXPECT: fail deadlock
// CAUSE: lock-order inversion
// PREEMPTIONS: 1
// RUN: --strategy=dfs --keep-going
// EXPECT: fail deadlock
// EXECUTIONS: model
// PREEMPTIONS: 1
// RUN: --strategy=icb --bound=0
// EXPECT: pass
// EXECUTIONS: model
// RUN: --strategy=random --seed=7
// EXPECT: fail deadlock
// RUN: --strategy=pct --seed=7
// EXPECT: fail deadlock
#include <pthread.h>

static pthread_mutex_t x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;

static void take_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* forwards(void* unused) {
  take_both(&x, &y);
  return unused;
}

static void* backwards(void* unused) {
  take_both(&y, &x);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, forwards, NULL);
  pthread_create(&b, NULL, backwards, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
