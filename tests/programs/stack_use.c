// The address of a local variable outlives its thread.
//
// RUN: --strategy=icb
// EXPECT: fail stack-use-after-end
// MESSAGE: on the stack of thread 1, which has ended
// RUN: --strategy=dfs --memory=off
// EXPECT: pass
#include <pthread.h>

static int* result;

static void* compute(void* unused) {
  int local = 42;
  result = &local;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  pthread_join(thread, NULL);
  return *result == 17;
}
