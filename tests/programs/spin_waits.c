// Loops in which real code waits: with a cache of what was read, for a bounded number of rounds
// before blocking, on a variable on another thread's stack, by exchange, by a lock, with a count of
// the rounds in memory. None makes the search endless, and none is a livelock.
//
// RUN: --strategy=portfolio
// FLAGS: -DWAY=cached
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DWAY=cached
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DWAY=cached
// EXPECT: pass
// RUN: --strategy=portfolio
// FLAGS: -DWAY=bounded
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DWAY=bounded
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DWAY=bounded
// EXPECT: pass
// RUN: --strategy=portfolio
// FLAGS: -DWAY=exchanged
// EXPECT: pass
// RUN: --strategy=portfolio
// FLAGS: -DWAY=locked
// EXPECT: pass
// RUN: --strategy=portfolio
// FLAGS: -DWAY=on_stack
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DWAY=on_stack
// EXPECT: pass
// RUN: --strategy=portfolio --visible=all
// FLAGS: -DWAY=on_stack
// EXPECT: pass
// RUN: --strategy=portfolio
// FLAGS: -DWAY=counted
// EXPECT: pass
// RUN: --strategy=portfolio
// FLAGS: -DWAY=cached -DNOBODY
// EXPECT: fail livelock
// RUN: --strategy=optimal-dpor
// FLAGS: -DWAY=locked -DNOBODY
// EXPECT: fail livelock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready, gate = 1;  // not static: clang would know who never writes them
static int data, cache, rounds;
static int* flag;  // on the stack of main, under the mutex
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static inline void cached(void) {
  while (!cache) cache = atomic_load(&ready);
}

static inline void counted(void) {
  while (!atomic_load(&ready)) ++rounds;
}

static inline void bounded(void) {
  for (int i = 0; i < 1024; ++i)
    if (atomic_load(&ready)) return;
  pthread_mutex_lock(&mutex);
  while (!atomic_load(&ready)) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
}

static inline void exchanged(void) {
  while (atomic_exchange(&gate, 1)) continue;
}

static int looked(void) {
  pthread_mutex_lock(&mutex);
  const int seen = *flag;
  pthread_mutex_unlock(&mutex);
  return seen;
}

static inline void on_stack(void) {
  while (!looked()) continue;
}

static inline void locked(void) {
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(&mutex);
    seen = atomic_load(&ready);
    pthread_mutex_unlock(&mutex);
  }
}

static void* wait_for_it(void* unused) {
  WAY();
  assert(data == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  int on_my_stack = 0;
  flag = &on_my_stack;
  pthread_create(&thread, NULL, wait_for_it, NULL);
  data = 1;
#ifndef NOBODY
  pthread_mutex_lock(&mutex);
  on_my_stack = 1;
  atomic_store(&ready, 1);
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  atomic_store(&gate, 0);
#endif
  pthread_join(thread, NULL);
}
