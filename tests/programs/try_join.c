// Joining without waiting, or not for long.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DCLAIM_ENDED
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DCLAIM_ENDED
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DCLAIM_RUNNING
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DTIMED
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DTIMED -DCLAIM_ENDED
// EXPECT: fail assertion
// RUN: --strategy=dfs --timeouts=last
// FLAGS: -DTIMED -DCLAIM_ENDED
// EXPECT: pass
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

static void* work(void* argument) {
  sched_yield();
  return argument;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  pthread_create(&thread, NULL, work, &thread);
#ifdef TIMED
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 5;
  int error = pthread_timedjoin_np(thread, &result, &deadline);
  assert(error == 0 || error == ETIMEDOUT);
#else
  int error = pthread_tryjoin_np(thread, &result);
  assert(error == 0 || error == EBUSY);
#endif
#ifdef CLAIM_ENDED
  assert(error == 0);
#endif
#ifdef CLAIM_RUNNING
  assert(error != 0);
#endif
  if (error != 0) pthread_join(thread, &result);
  assert(result == &thread);
  return 0;
}
