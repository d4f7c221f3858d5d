// What must not be done with a reader-writer lock, and two ways to wait for ever.
//
// RUN: --strategy=icb
// FLAGS: -DUNLOCK_UNLOCKED
// EXPECT: fail rwlock-misuse
// MESSAGE: is not locked
// RUN: --strategy=icb
// FLAGS: -DUNLOCK_OF_ANOTHER
// EXPECT: fail rwlock-misuse
// MESSAGE: thread 1 unlocks a reader-writer lock that thread 0 holds for reading
// RUN: --strategy=optimal-dpor
// FLAGS: -DUNLOCK_OF_ANOTHER
// EXPECT: fail rwlock-misuse
// RUN: --strategy=icb
// FLAGS: -DDESTROY_LOCKED
// EXPECT: fail rwlock-misuse
// MESSAGE: thread 0 destroys a reader-writer lock that thread 1 holds for writing
// PREEMPTIONS: 2
// RUN: --strategy=optimal-dpor
// FLAGS: -DDESTROY_LOCKED
// EXPECT: fail rwlock-misuse
// RUN: --strategy=icb
// FLAGS: -DUPGRADE
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DUPGRADE
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DFORGOTTEN
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DFORGOTTEN
// EXPECT: fail deadlock
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int used;

static void* work(void* unused) {
#if defined UNLOCK_OF_ANOTHER
  pthread_rwlock_unlock(&lock);
#elif defined DESTROY_LOCKED
  pthread_rwlock_wrlock(&lock);
  atomic_store(&used, 1);
  pthread_rwlock_unlock(&lock);
#elif defined UPGRADE  // both read and want to write
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
#elif defined FORGOTTEN
  pthread_rwlock_wrlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
#if defined UNLOCK_UNLOCKED
  pthread_rwlock_unlock(&lock);
#elif defined UNLOCK_OF_ANOTHER
  pthread_rwlock_rdlock(&lock);
  pthread_join(thread, NULL);
  pthread_rwlock_unlock(&lock);
  return 0;
#elif defined DESTROY_LOCKED
  int done = atomic_load(&used);
  if (!done) pthread_join(thread, NULL);
  pthread_rwlock_destroy(&lock);
  if (!done) return 0;
#elif defined FORGOTTEN
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#endif
  pthread_join(thread, NULL);
#if defined UPGRADE
  pthread_rwlock_rdlock(&lock);
#endif
  return 0;
}
