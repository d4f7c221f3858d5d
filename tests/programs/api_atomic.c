// An atomic section: the two halves of an update are not taken apart, unless the thread must wait.
//
// With it each thread has one step that counts.
//
// MODEL: main = create a; create b; join a; join b
// MODEL: a = step
// MODEL: b = step
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: model
// RUN: --strategy=icb --bound=1
// EXPECT: pass
// EXECUTIONS: model
// RUN:
// FLAGS: -DNO_SECTION
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 2
// RUN: --strategy=optimal-dpor
// FLAGS: -DWAITS
// EXPECT: pass
// RUN: --strategy=cb-por-2
// EXPECT: unsupported atomic sections
// RUN: --strategy=portfolio
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DWAITS
// EXPECT: pass
// RUN:
// FLAGS: -DUNBALANCED
// EXPECT: fail assertion
// MESSAGE: outside an atomic section
// RUN: --strategy=dfs
// DOOR: preload
// EXPECT: unknown
// GUARANTEE: atomic instructions of the program are not under control
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* count(void* unused) {
#ifndef NO_SECTION
  heddle_atomic_begin();
  heddle_atomic_begin();
  heddle_atomic_end();
#endif
#ifdef WAITS
  pthread_mutex_lock(&mutex);
#endif
  int seen = atomic_load(&counter);
  atomic_store(&counter, seen + 1);
#ifdef WAITS
  heddle_atomic_end();
  heddle_yield();
  pthread_mutex_unlock(&mutex);
#elif !defined NO_SECTION
  heddle_atomic_end();
#endif
  return unused;
}

int main(void) {
#ifdef UNBALANCED
  heddle_atomic_end();
#endif
  pthread_t one, two;
  pthread_create(&one, 0, count, 0);
  pthread_create(&two, 0, count, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  heddle_assert(atomic_load(&counter) == 2);
  (void)mutex;
  return 0;
}
