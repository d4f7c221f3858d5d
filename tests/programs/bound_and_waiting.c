// Classes within a bound on preemptions where threads wait for semaphores and reader-writer locks,
// or come to a pthread_once that may be done: exactly those that icb finds.
//
// RUN: --strategy=icb --bound=0
// FLAGS: -DSEMAPHORE
// EXPECT: pass
// RUN: --strategy=cb-por-1 --bound=0
// FLAGS: -DSEMAPHORE
// EXPECT: pass
// RUN: --strategy=cb-por-2 --bound=0
// FLAGS: -DSEMAPHORE
// EXPECT: pass
// RUN: --strategy=cb-por-2 --bound=1
// FLAGS: -DSEMAPHORE
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=0
// FLAGS: -DRWLOCK
// EXPECT: pass
// RUN: --strategy=cb-por-1 --bound=0
// FLAGS: -DRWLOCK
// EXPECT: pass
// RUN: --strategy=cb-por-2 --bound=0
// FLAGS: -DRWLOCK
// EXPECT: pass
// RUN: --strategy=cb-por-2 --bound=1
// FLAGS: -DRWLOCK
// EXPECT: fail assertion
// RUN: --strategy=cb-por-2
// FLAGS: -DONCE
// EXPECT: fail assertion
// RUN: --strategy=cb-por-1
// FLAGS: -DONCE
// EXPECT: fail assertion
// RUN: --strategy=dfs --filter=seen
// FLAGS: -DONCE
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int value;
static int seen;

#if defined ONCE
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void add(void) {
  atomic_fetch_add(&value, 7);
}
static void* first(void* unused) {
  atomic_store(&value, 2);
  pthread_once(&once, add);
  return unused;
}
static void* second(void* unused) {
  pthread_once(&once, add);
  return unused;
}
#else
#ifdef SEMAPHORE
static sem_t semaphore;
#define TAKE sem_wait(&semaphore)
#define GIVE sem_post(&semaphore)
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define TAKE pthread_rwlock_wrlock(&lock)
#define GIVE pthread_rwlock_unlock(&lock)
#endif
// To see 1 the second thread has to come between the store and the lock, which is free.
static void* first(void* unused) {
  atomic_store(&value, 1);
  TAKE;
  atomic_store(&value, 2);
  GIVE;
  return unused;
}
static void* second(void* unused) {
  TAKE;
  seen = atomic_load(&value);
  GIVE;
  return unused;
}
#endif

int main(void) {
  pthread_t threads[2];
#ifdef SEMAPHORE
  sem_init(&semaphore, 0, 1);
#endif
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
#ifdef ONCE
  assert(atomic_load(&value) != 2);
#endif
  assert(seen != 1);
  return 0;
}
