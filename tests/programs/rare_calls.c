// Functions that few programs call: each does what its better known relative does.
//
// FLAGS: -D_GNU_SOURCE -w
// LIBTSAN: no (pthread_yield is not there for new programs)
// RUN: --strategy=icb --bound=1
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DBROKEN
// EXPECT: fail invariant
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

extern int old_yield(void) __asm__("pthread_yield");

static mtx_t mutex;
static cnd_t changed;
static int ready;
static _Atomic int kept = 1;

static int holds(void* unused) {
  return kept == 1 && unused == NULL;
}

static int waiter(void* unused) {
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  return unused != NULL;
}

static void count(void* counter) {
  ++*(int*)counter;
}

static int detached(void* unused) {
  int counted = 0;
  pthread_cleanup_push(count, &counted);
  pthread_testcancel();
  pthread_cleanup_pop(1);
  assert(counted == 1);
  return unused != NULL;
}

int main(void) {
  thrd_t one, two, three;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  ++soon.tv_sec;
  assert(pthread_rwlock_timedwrlock(&rwlock, &soon) == 0 && pthread_rwlock_unlock(&rwlock) == 0);
  assert(heddle_running() && clock() >= 0);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
  heddle_invariant("kept", holds, NULL);
  thrd_create(&one, waiter, NULL);
  thrd_create(&two, waiter, NULL);
#ifndef BROKEN
  heddle_invariant_end(holds, NULL);
#endif
  kept = 2;  // no harm when nobody looks any more
  mtx_lock(&mutex);
  ready = 1;
  cnd_broadcast(&changed);
  mtx_unlock(&mutex);
  thrd_join(one, NULL);
  thrd_join(two, NULL);
  thrd_create(&three, detached, NULL);
  thrd_detach(three);
  assert(old_yield() == 0);
}
