// Locks made of atomics: test-and-set, tickets, Peterson's algorithm, and a queue that is polled
// under a mutex. Each waits in loops; each is explored completely.
//
// RUN: --strategy=optimal-dpor
// FLAGS: -DTEST_AND_SET
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DTEST_AND_SET
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DTICKETS
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DPETERSON
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DPETERSON
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DPETERSON -DWRONG
// EXPECT: fail data-race
// RUN: --strategy=optimal-dpor
// FLAGS: -DPOLL
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// FLAGS: -DPOLL
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef TEST_AND_SET
static atomic_int taken;
static void enter(int self) {
  (void)self;
  while (atomic_exchange(&taken, 1)) continue;
}
static void leave(int self) {
  (void)self;
  atomic_store(&taken, 0);
}
#endif

#ifdef TICKETS
static atomic_int next, serving;
static void enter(int self) {
  (void)self;
  int mine = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != mine) continue;
}
static void leave(int self) {
  (void)self;
  atomic_fetch_add(&serving, 1);
}
#endif

#ifdef PETERSON
static atomic_int wants[2], turn;
static void enter(int self) {
  atomic_store(&wants[self], 1);
#ifdef WRONG
  atomic_store(&turn, self);
#else
  atomic_store(&turn, 1 - self);
#endif
  while (atomic_load(&wants[1 - self]) && atomic_load(&turn) == 1 - self) continue;
}
static void leave(int self) {
  atomic_store(&wants[self], 0);
}
#endif

#ifdef POLL
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items;
static void enter(int self) {
  if (self == 0) return;
  for (;;) {
    pthread_mutex_lock(&mutex);
    int there = items;
    pthread_mutex_unlock(&mutex);
    if (there) break;
  }
}
static void leave(int self) {
  if (self != 0) return;
  pthread_mutex_lock(&mutex);
  items = 1;
  pthread_mutex_unlock(&mutex);
}
#endif

static int count;

static void* work(void* argument) {
  int self = (int)(intptr_t)argument;
  enter(self);
  int before = count;
  count = before + 1;
  assert(count == before + 1);
  leave(self);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, (void*)1);
  work((void*)0);
  pthread_join(thread, NULL);
  assert(count == 2);
  return 0;
}
