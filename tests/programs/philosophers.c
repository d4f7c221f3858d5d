// Three philosophers, each taking the left fork first. One preemption is enough for the cycle: the
// first is preempted with one fork in hand, the third takes its first fork and waits for the first,
// the second takes the last fork and waits for the third. With one of them left-handed there is no
// cycle in any schedule with up to two preemptions.
//
// RUN: --strategy=icb
// EXPECT: fail deadlock
// PREEMPTIONS: 1
// RUN: --strategy=icb --bound=0
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// FLAGS: -DLEFT_HANDED
// EXPECT: pass
// MODEL: main = create a; create b; create c; join a; join b; join c
// MODEL: a = lock 0; lock 1; unlock 1; unlock 0
// MODEL: b = lock 1; lock 2; unlock 2; unlock 1
// MODEL: c = lock 0; lock 2; unlock 2; unlock 0
// EXECUTIONS: model
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void* philosopher(void* seat) {
  intptr_t first = (intptr_t)seat, second = (first + 1) % 3;
#ifdef LEFT_HANDED
  if (first == 2) first = 0, second = 2;
#endif
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (intptr_t i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, philosopher, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
