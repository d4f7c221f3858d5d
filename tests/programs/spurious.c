// Waits that end without a signal: who waits in a loop does not mind, who does not looks too early.
//
// RUN: --strategy=icb --spurious
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNO_LOOP
// EXPECT: pass
// RUN: --strategy=icb --spurious
// FLAGS: -DNO_LOOP
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --spurious
// FLAGS: -DNO_LOOP
// EXPECT: fail assertion
// RUN: --strategy=cb-por-2 --spurious
// FLAGS: -DNO_LOOP
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --spurious
// EXPECT: pass
// RUN: --strategy=icb --spurious --timeouts=explore
// FLAGS: -DNO_LOOP -DTIMED
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static int wait_once(void) {
#ifdef TIMED
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 1;
  return pthread_cond_timedwait(&condition, &mutex, &end);
#else
  return pthread_cond_wait(&condition, &mutex);
#endif
}

static void* waiter(void* unused) {
  pthread_mutex_lock(&mutex);
#ifdef NO_LOOP
  int result = 0;
  if (!ready) result = wait_once();
  assert(ready || result != 0);
#else
  while (!ready) wait_once();
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
