// main ends the program without waiting for its helper, whose wake-up gets lost on some schedules:
// the helper is then blocked for good, although the program ends and all seems well. Whether the
// helper can be blocked legally depends on what it is.
//
// RUN: --strategy=icb
// EXPECT: fail lost-wakeup
// PREEMPTIONS: 1
// MESSAGE: still blocked when the program ends
// LOCATION: blocked_at_exit.c
// CAUSE: lost signal
// FINDINGS: 1
// RUN: --strategy=dpor
// EXPECT: fail lost-wakeup
// RUN: --strategy=portfolio
// EXPECT: fail lost-wakeup
// RUN: --strategy=dfs --keep-going
// EXPECT: fail lost-wakeup
// FINDINGS: 1
// RUN: --strategy=dfs --blocked-at-exit=off
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DDETACHED
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DHELPER_ENDS_IT
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DTIMED
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DSEMAPHORE
// EXPECT: fail lost-wakeup
// RUN: --strategy=dpor
// FLAGS: -DSEMAPHORE
// EXPECT: fail lost-wakeup
// RUN: --strategy=icb
// FLAGS: -DMUTEX
// EXPECT: fail lost-wakeup
// RUN: --strategy=icb --keep-going
// FLAGS: -DTWO
// EXPECT: fail lost-wakeup
// FINDINGS: 1
// RUN: --strategy=icb
// FLAGS: -DJOINED_AT_EXIT
// EXPECT: fail deadlock
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_t thread;

static void* helper(void* unused) {
#if defined SEMAPHORE
  sem_wait(&semaphore);
#elif defined TIMED
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  ++soon.tv_sec;
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &soon);
  pthread_mutex_unlock(&mutex);
#else
  pthread_mutex_lock(&mutex);
#ifndef MUTEX
  pthread_cond_wait(&condition, &mutex);
#endif
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

#ifdef HELPER_ENDS_IT
static void* last(void* unused) {
  exit(0);
  return unused;
}
#endif

#ifdef JOINED_AT_EXIT
static void join(void) {
  pthread_join(thread, NULL);
}
#endif

int main(void) {
  sem_init(&semaphore, 0, 0);
#ifdef JOINED_AT_EXIT
  atexit(join);
#endif
#ifdef HELPER_ENDS_IT
  pthread_create(&thread, NULL, last, NULL);
  pthread_join(thread, NULL);
  return 0;
#endif
#ifdef MUTEX
  pthread_mutex_lock(&mutex);
#endif
  pthread_create(&thread, NULL, helper, NULL);
#ifdef TWO
  pthread_t second;
  pthread_create(&second, NULL, helper, NULL);
#endif
#ifdef DETACHED
  pthread_detach(thread);
#endif
  pthread_cond_signal(&condition);
  return 0;
}
