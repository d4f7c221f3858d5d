// Two readers and a writer: readers may be together, the writer is alone. The attempts find the
// lock free or taken, whatever comes first.
//
// RUN: --strategy=dfs
// FLAGS: -DONE_READER
// EXPECT: pass
// EXECUTIONS: model
// MODEL: main = create a; create w; join a; join w
// MODEL: a = rdlock l; rwunlock l
// MODEL: w = wrlock l; rwunlock l
// RUN: --strategy=icb --bound=1
// EXPECT: pass
// EXECUTIONS: model
// MODEL: main = create a; create b; create w; join a; join b; join w
// MODEL: a = rdlock l; rwunlock l
// MODEL: b = rdlock l; rwunlock l
// MODEL: w = wrlock l; rwunlock l
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DCLAIM_READERS_ALONE
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DCLAIM_READERS_ALONE
// EXPECT: fail assertion
// PREEMPTIONS: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DATTEMPTS
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DATTEMPTS -DONE_READER
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DATTEMPTS -DCLAIM_SUCCESS
// EXPECT: fail assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int writers;
#ifdef CLAIM_READERS_ALONE
static atomic_int readers;
#endif

static void* reader(void* unused) {
#ifdef ATTEMPTS
  int error = pthread_rwlock_tryrdlock(&lock);
  assert(error == 0 || error == EBUSY);
#ifdef CLAIM_SUCCESS
  assert(error == 0);
#endif
  if (error != 0) return unused;
#else
  pthread_rwlock_rdlock(&lock);
#endif
  assert(writers == 0);
#ifdef CLAIM_READERS_ALONE
  assert(atomic_fetch_add(&readers, 1) == 0);
  atomic_fetch_sub(&readers, 1);
#endif
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* writer(void* unused) {
#ifdef ATTEMPTS
  int error = pthread_rwlock_trywrlock(&lock);
  assert(error == 0 || error == EBUSY);
  if (error != 0) return unused;
#else
  pthread_rwlock_wrlock(&lock);
#endif
  assert(++writers == 1);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  --writers;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b, w;
  pthread_create(&a, NULL, reader, NULL);
#ifndef ONE_READER
  pthread_create(&b, NULL, reader, NULL);
#endif
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(a, NULL);
#ifndef ONE_READER
  pthread_join(b, NULL);
#endif
  pthread_join(w, NULL);
  return 0;
}
