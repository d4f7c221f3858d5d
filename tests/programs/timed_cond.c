// A wait with a deadline, with and without the loop around it. Who times out must look whether what
// it waited for has come meanwhile.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DTRUST_THE_ERROR
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DTRUST_THE_ERROR
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DTRUST_THE_ERROR
// EXPECT: fail assertion
// RUN: --strategy=dfs --timeouts=last
// FLAGS: -DTRUST_THE_ERROR
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DPOLL
// EXPECT: pass
// RUN: --strategy=dfs --early-timeouts=2
// FLAGS: -DPOLL
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DPOLL
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DPOLL -DNO_SIGNAL
// EXPECT: pass
// RUN: --strategy=icb --timeouts=never
// FLAGS: -DPOLL -DNO_SIGNAL
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DPOLL -DNO_SIGNAL
// EXPECT: pass
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int ready;

static void* waiter(void* unused) {
  struct timespec deadline;
  pthread_mutex_lock(&mutex);
  clock_gettime(CLOCK_MONOTONIC, &deadline);
#ifdef POLL
  while (!ready) {
    deadline.tv_sec += 1;
    pthread_cond_timedwait(&changed, &mutex, &deadline);
  }
#else
  deadline.tv_sec += 1;
  int error = 0;
  while (!ready && error == 0) error = pthread_cond_timedwait(&changed, &mutex, &deadline);
  assert(error == 0 || error == ETIMEDOUT);
#ifdef TRUST_THE_ERROR
  assert(ready == (error == 0));  // it may have come before the mutex was taken again
#endif
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&changed, &attributes);
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  ready = 1;
#ifndef NO_SIGNAL
  pthread_cond_signal(&changed);
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
