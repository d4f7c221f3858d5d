// Two threads that share nothing: main's two yields against the other's start, three yields and
// exit. The join comes after all of them, so the orders are C(7, 2) = 21.
//
// EXPECT: pass
// MODEL: main = create a; 2 yield; join a
// MODEL: a = 3 yield
// RUN: --strategy=dfs
// EXECUTIONS: 21
// RUN: --strategy=icb
// EXECUTIONS: 21
// RUN: --strategy=icb --bound=0
// EXECUTIONS: model
#include <pthread.h>
#include <sched.h>

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) sched_yield();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  sched_yield();
  sched_yield();
  pthread_join(a, NULL);
  return 0;
}
