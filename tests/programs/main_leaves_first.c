// main leaves by pthread_exit; the program goes on until the last thread has ended.
//
// RUN: --strategy=icb
// EXPECT: fail assertion
// MESSAGE: reached
// PREEMPTIONS: 0
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static void* work(void* unused) {
  sched_yield();
  assert(!"reached after main has left");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_exit(NULL);
}
