// Both outcomes of a trylock are reachable: each run claims that one of them is not.
//
// RUN: --strategy=icb
// FLAGS: -DIMPOSSIBLE=0
// EXPECT: fail assertion
// PREEMPTIONS: 0
// RUN: --strategy=icb
// FLAGS: -DIMPOSSIBLE=EBUSY
// EXPECT: fail assertion
// PREEMPTIONS: 1
// RUN: --strategy=dfs
// FLAGS: -DIMPOSSIBLE=EINVAL
// EXPECT: pass
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  int result = pthread_mutex_trylock(&mutex);
  assert(result != IMPOSSIBLE);
  if (result == 0) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
