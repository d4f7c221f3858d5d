// main ends the program with status 0 while a thread is somewhere in its loop: that is allowed.
// The handlers registered with atexit run in every execution.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static int handler_runs;

static void handler(void) {
  assert(++handler_runs == 1);
}

static void* work(void* unused) {
  for (int i = 0; i < 3; ++i) sched_yield();
  return unused;
}

int main(void) {
  pthread_t thread;
  atexit(handler);
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  exit(0);
}
