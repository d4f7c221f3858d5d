// Recursion without end in a thread runs into the guard page; the search survives it.
//
// RUN: --strategy=icb
// EXPECT: fail stack-overflow
// RUN: --strategy=dfs --keep-going
// EXPECT: fail stack-overflow
#include <pthread.h>

static int deeper(volatile int* above) {
  volatile int here[64];
  here[0] = *above + 1;
  return deeper(here) + here[0];
}

static void* work(void* unused) {
  volatile int start = 0;
  deeper(&start);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
