// Waits with a deadline for a mutex, a semaphore and a reader-writer lock. A wait may time out
// while others can go on, only when nobody can, or never: --timeouts.
//
// RUN: --strategy=dfs
// FLAGS: -DMUTEX
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DMUTEX -DCLAIM_SUCCESS
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DMUTEX -DCLAIM_SUCCESS
// EXPECT: fail assertion
// PREEMPTIONS: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DMUTEX -DCLAIM_SUCCESS
// EXPECT: fail assertion
// RUN: --strategy=dfs --timeouts=last
// FLAGS: -DMUTEX -DCLAIM_SUCCESS
// EXPECT: pass
// RUN: --strategy=dfs --early-timeouts=0
// FLAGS: -DMUTEX -DCLAIM_SUCCESS
// EXPECT: pass
// RUN: --strategy=dfs --timeouts=never
// FLAGS: -DMUTEX -DCLAIM_SUCCESS
// EXPECT: pass
// RUN: --strategy=dfs --timeouts=last
// FLAGS: -DMUTEX -DFORGET
// EXPECT: pass
// RUN: --strategy=optimal-dpor --timeouts=last
// FLAGS: -DMUTEX -DFORGET
// EXPECT: pass
// RUN: --strategy=dfs --timeouts=never
// FLAGS: -DMUTEX -DFORGET
// EXPECT: fail deadlock
// RUN: --strategy=dfs
// FLAGS: -DSEMAPHORE
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DSEMAPHORE -DCLAIM_SUCCESS
// EXPECT: fail assertion
// RUN: --strategy=dfs --timeouts=last
// FLAGS: -DSEMAPHORE -DCLAIM_SUCCESS
// EXPECT: pass
// RUN: --strategy=dfs --timeouts=last
// FLAGS: -DSEMAPHORE -DFORGET
// EXPECT: pass
// RUN: --strategy=optimal-dpor --timeouts=last
// FLAGS: -DSEMAPHORE -DFORGET
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DRWLOCK
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DRWLOCK
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DRWLOCK -DCLAIM_SUCCESS
// EXPECT: fail assertion
// RUN: --strategy=dfs --timeouts=last
// FLAGS: -DRWLOCK -DCLAIM_SUCCESS
// EXPECT: pass
// RUN: --strategy=dfs --timeouts=never
// FLAGS: -DRWLOCK -DFORGET
// EXPECT: fail deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static struct timespec in_a_second(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  ++time.tv_sec;
  return time;
}

#if defined MUTEX
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void set_up(void) {}
static void take(void) {
  pthread_mutex_lock(&lock);
}
static void give(void) {
  pthread_mutex_unlock(&lock);
}
static int take_before(const struct timespec* time) {
  return pthread_mutex_timedlock(&lock, time);
}
#elif defined SEMAPHORE
static sem_t lock;
static void set_up(void) {
  sem_init(&lock, 0, 1);
}
static void take(void) {
  sem_wait(&lock);
}
static void give(void) {
  sem_post(&lock);
}
static int take_before(const struct timespec* time) {
  return sem_timedwait(&lock, time) == 0 ? 0 : errno;
}
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void set_up(void) {}
static void take(void) {
  pthread_rwlock_wrlock(&lock);
}
static void give(void) {
  pthread_rwlock_unlock(&lock);
}
static int take_before(const struct timespec* time) {
  return pthread_rwlock_timedrdlock(&lock, time);
}
#endif

static atomic_int taken;

static void* holder(void* unused) {
  take();
  atomic_store(&taken, 1);
#ifndef FORGET
  give();
#endif
  return unused;
}

static void* patient(void* unused) {
  struct timespec deadline = in_a_second(), wrong = {0, -1}, now;
  int error = take_before(&deadline);
  assert(error == 0 || error == ETIMEDOUT);
#ifdef CLAIM_SUCCESS
  assert(error == 0);
#endif
#ifdef FORGET
  assert(error == 0 || atomic_load(&taken));
#endif
  clock_gettime(CLOCK_REALTIME, &now);
  int late = now.tv_sec > deadline.tv_sec ||
             (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec);
  assert(late == (error == ETIMEDOUT));
  if (error == 0) {
#ifndef RWLOCK
    assert(take_before(&wrong) == EINVAL);
#endif
    give();
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  set_up();
  pthread_create(&a, NULL, holder, NULL);
  pthread_create(&b, NULL, patient, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
