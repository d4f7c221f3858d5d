// SIGFPE is a crash like any other.
//
// RUN: --strategy=icb
// EXPECT: fail crash
// MESSAGE: SIGFPE
// PREEMPTIONS: 1
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor;
static volatile int result;

static void* work(void* unused) {
  result = 10 / atomic_load(&divisor);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  atomic_store(&divisor, 5);
  pthread_join(thread, NULL);
  return 0;
}
