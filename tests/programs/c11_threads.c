// C11's <threads.h>: all of it in one program, with the bugs it can have.
//
// FLAGS: -std=c11
// RUN: --strategy=icb --bound=2
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DLOST_WAKEUP
// EXPECT: fail deadlock
// LOCATION: c11_threads.c
// RUN: --strategy=icb
// FLAGS: -DUNLOCK_UNLOCKED
// EXPECT: fail mutex-misuse
// RUN: --strategy=icb
// FLAGS: -DCLAIM_IN_TIME
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DCLAIM_FREE
// EXPECT: fail assertion
// PREEMPTIONS: 1
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int prepared, destroyed;
static atomic_int ready;

static void prepare(void) {
  ++prepared;
}
static void destroy(void* value) {
  destroyed += *(int*)value;
}

static int consumer(void* argument) {
  call_once(&once, prepare);
  assert(prepared == 1);
  tss_set(key, argument);
  assert(tss_get(key) == argument);
#ifdef UNLOCK_UNLOCKED
  mtx_unlock(&mutex);
#endif
  mtx_lock(&mutex);
#ifdef CLAIM_IN_TIME
  struct timespec deadline;
  timespec_get(&deadline, TIME_UTC);
  ++deadline.tv_sec;
  while (!ready) assert(cnd_timedwait(&changed, &mutex, &deadline) == thrd_success);
#else
  while (!ready) cnd_wait(&changed, &mutex);
#endif
  mtx_unlock(&mutex);
  return -7;
}

static int producer(void* unused) {
  (void)unused;
  call_once(&once, prepare);
#if defined CLAIM_FREE
  int error = mtx_trylock(&mutex);
  assert(error == thrd_success);
#elif !defined LOST_WAKEUP
  mtx_lock(&mutex);
#endif
  ready = 1;
#ifndef LOST_WAKEUP
  mtx_unlock(&mutex);
  cnd_signal(&changed);
#endif
  thrd_exit(5);
}

int main(void) {
  thrd_t one, two;
  int number = 3, first = 0, second = 0;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  assert(tss_create(&key, destroy) == thrd_success);
  thrd_create(&one, consumer, &number);
  thrd_create(&two, producer, NULL);
  thrd_join(one, &first);
  thrd_join(two, &second);
  assert(first == -7 && second == 5 && destroyed == 3);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  tss_delete(key);
  assert(mtx_init(&mutex, mtx_recursive | mtx_timed) == thrd_success);
  struct timespec now, second_long = {1, 0};
  timespec_get(&now, TIME_UTC);
  assert(mtx_lock(&mutex) == thrd_success && mtx_timedlock(&mutex, &now) == thrd_success);
  assert(thrd_sleep(&second_long, NULL) == 0);
  thrd_yield();
  return 0;
}
