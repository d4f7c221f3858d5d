// After main has left by pthread_exit the last thread to end runs the exit handlers: where there
// are any, it counts who that is, and elsewhere it does not.
//
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOBODY
// EXPECT: pass
// EXECUTIONS: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT=0
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT=1
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT=2
// EXPECT: fail assertion
// RUN: --strategy=source-dpor
// FLAGS: -DNOT=0
// EXPECT: fail assertion
// RUN: --strategy=dpor
// FLAGS: -DNOT=1
// EXPECT: fail assertion
// RUN: --strategy=cb-por-2
// FLAGS: -DNOT=1
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT=3
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT=2 -DIN_THREAD
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT=0 -DIN_THREAD
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT=3 -DIN_THREAD
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT=3 -DJOINED
// EXPECT: pass
// EXECUTIONS: 1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static __thread long self;

#ifndef NOBODY
static void at_end(void) {
  assert(self != NOT);
}
#endif

static void* thread(void* number) {
  self = (long)number;
#ifdef IN_THREAD
  if (self == 1) atexit(at_end);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[2];
#if !defined IN_THREAD && !defined NOBODY
  atexit(at_end);
#endif
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, thread, (void*)(i + 1));
#ifdef JOINED
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
#else
  pthread_exit(0);
#endif
}
