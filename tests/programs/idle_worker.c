// A worker that waits for more to do when main returns is no bug, whichever of the two comes first;
// one that has missed what it waits for is.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DSIGNAL_UNLOCKED
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// FLAGS: -DTWO_WORKERS
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DATOMIC
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DNO_WORK
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DJOINED_BY_HELPER
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DLOST
// EXPECT: fail lost-wakeup
// RUN: --strategy=optimal-dpor
// FLAGS: -DLOST
// EXPECT: fail lost-wakeup
// RUN: --strategy=dfs
// FLAGS: -DLOST -DATOMIC
// EXPECT: fail lost-wakeup
// RUN: --strategy=dfs --races=off
// FLAGS: -DLOST -DOTHER_MUTEX
// EXPECT: fail lost-wakeup
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER, ready = PTHREAD_COND_INITIALIZER;
#ifdef ATOMIC
static atomic_int work;
#else
static int work;
#endif
static int done;

#ifdef LOST
// Looks first and waits then, and between the two it happens.
static void* worker(void* unused) {
#ifdef ATOMIC
  const int wait = work == 0;
#elif defined OTHER_MUTEX
  pthread_mutex_lock(&other);
  const int wait = work == 0;
  pthread_mutex_unlock(&other);
#else
  const int wait = 1;
#endif
  pthread_mutex_lock(&mutex);
  if (wait) pthread_cond_wait(&wanted, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}
#else
static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (work == 0) pthread_cond_wait(&wanted, &mutex);
    --work;
    ++done;
    pthread_cond_signal(&ready);
  }
  return unused;
}
#endif

#ifdef JOINED_BY_HELPER
static pthread_t joined;
static void* join(void* unused) {
  pthread_join(joined, NULL);
  return unused;
}
#endif

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
#ifdef TWO_WORKERS
  pthread_create(&thread, NULL, worker, NULL);
#endif
#ifdef JOINED_BY_HELPER
  joined = thread;
  pthread_t helper;
  pthread_create(&helper, NULL, join, NULL);
#endif
#ifdef NO_WORK
  return 0;
#endif
#ifdef LOST
#if defined OTHER_MUTEX
  pthread_mutex_lock(&other);
  work = 1;
  pthread_mutex_unlock(&other);
#elif defined ATOMIC
  work = 1;
#endif
  pthread_cond_signal(&wanted);
  (void)ready, (void)done, (void)other;
#elif defined SIGNAL_UNLOCKED
  pthread_mutex_lock(&mutex);
  work = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&wanted);
  pthread_mutex_lock(&mutex);
  while (done == 0) pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
#else
  pthread_mutex_lock(&mutex);
  work = 1;
  pthread_cond_signal(&wanted);
  while (done == 0) pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
#endif
  return 0;
}
