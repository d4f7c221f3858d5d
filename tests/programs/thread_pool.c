// SCALE's thread pool (Florian 2010, appendix A.3): main hands out one job and then stops the pool.
// Classes: 6, 90, 2,292, 85,464 for one to four workers; that the job may be left undone is one of
// the behaviours, which other checkers were seen to miss.
//
// RUN: --strategy=optimal-dpor
// FLAGS: -DWORKERS=1
// EXPECT: pass
// EXECUTIONS: 6
// RUN: --strategy=optimal-dpor
// FLAGS: -DWORKERS=2
// EXPECT: pass
// EXECUTIONS: 90
// RUN: --strategy=optimal-dpor
// FLAGS: -DWORKERS=3
// EXPECT: pass
// EXECUTIONS: 2292
// RUN: --strategy=optimal-dpor
// FLAGS: -DWORKERS=1 -DMUST_BE_DONE
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wakeup = PTHREAD_COND_INITIALIZER;
static int jobs, idle, exiting, done;

static void* work(void* unused) {
  for (;;) {
    pthread_mutex_lock(&guard);
    while (jobs == 0 && !exiting) {
      idle++;
      pthread_cond_wait(&wakeup, &guard);
      idle--;
    }
    if (exiting) {
      pthread_mutex_unlock(&guard);
      return unused;
    }
    jobs--;
    done++;
    pthread_mutex_unlock(&guard);
  }
}

int main(void) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, work, NULL);
  pthread_mutex_lock(&guard);
  jobs++;
  if (idle > 0) pthread_cond_signal(&wakeup);
  pthread_mutex_unlock(&guard);
  pthread_mutex_lock(&guard);
  exiting = 1;
  pthread_cond_broadcast(&wakeup);
  pthread_mutex_unlock(&guard);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
#ifdef MUST_BE_DONE
  assert(done == 1);
#endif
  return 0;
}
