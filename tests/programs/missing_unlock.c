// One path forgets to unlock; whoever comes next waits for a thread that has ended.
//
// EXPECT: fail deadlock
// RUN: --strategy=dfs
// RUN: --strategy=icb
// PREEMPTIONS: 0
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  if (taken++ == 0) return unused;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
