// What runs between exit and the end of the process takes steps among those of the other threads,
// whichever thread called exit and by which function, and what it did last can still be seen.
//
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DREADS
// RUN: --strategy=dpor
// FLAGS: -DREADS
// RUN: --strategy=source-dpor
// FLAGS: -DREADS
// RUN: --strategy=sleep-sets
// FLAGS: -DREADS
// RUN: --strategy=cb-por-2
// FLAGS: -DREADS
// RUN: --strategy=portfolio
// FLAGS: -DREADS
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DREADS
// RUN: --strategy=dfs
// FLAGS: -DLAST_STEP
// RUN: --strategy=optimal-dpor
// FLAGS: -DLAST_STEP
// RUN: --strategy=optimal-dpor
// FLAGS: -DLAST_STEP -DON_EXIT
// RUN: --strategy=optimal-dpor
// FLAGS: -DFROM_THREAD
// RUN: --strategy=cb-por-1
// FLAGS: -DFROM_THREAD
// RUN: --strategy=dfs
// FLAGS: -DFROM_THREAD -DQUICK
// RUN: --strategy=optimal-dpor
// FLAGS: -DFROM_THREAD -DQUICK
// RUN: --strategy=optimal-dpor
// FLAGS: -DDESTRUCTOR
// RUN: --strategy=optimal-dpor
// FLAGS: -DREGISTERS -DORDER=12
// RUN: --strategy=optimal-dpor
// FLAGS: -DREGISTERS -DORDER=21
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value, done;

#ifdef REGISTERS
static int order;
static void first(void) {
  order = order * 10 + 1;
  assert(order != ORDER);
}
static void second(void) {
  order = order * 10 + 2;
  assert(order != ORDER);
}
static void* registers(void* unused) {
  atexit(first);
  return unused;
}
#endif

static void reads(void) {
  int a = atomic_load(&value), b = atomic_load(&value);
  assert(!(a == 1 && b == 3));
}

static void leaves_mark(void) {
  atomic_store(&done, 1);
}

static void leaves_mark_too(int status, void* unused) {
  (void)unused;
  atomic_store(&done, 1 + status);
}

static void* writes(void* unused) {
  for (int i = 1; i <= 4; ++i) atomic_store(&value, i);
  return unused;
}

static void* sees_mark(void* unused) {
  assert(atomic_load(&done) == 0);
  return unused;
}

static void* leaves(void* unused) {
#ifdef QUICK
  quick_exit(0);
#else
  exit(0);
#endif
  return unused;
}

#ifdef DESTRUCTOR
__attribute__((destructor)) static void at_end(void) {
  reads();
}
#endif

int main(void) {
  pthread_t thread;
  (void)reads, (void)leaves_mark, (void)leaves_mark_too, (void)sees_mark, (void)leaves;
#if defined REGISTERS
  pthread_create(&thread, 0, registers, 0);
  atexit(second);
#elif defined FROM_THREAD
  pthread_t other;
  at_quick_exit(reads);
  atexit(reads);
  pthread_create(&other, 0, leaves, 0);
  pthread_create(&thread, 0, writes, 0);
  pthread_join(other, 0);
#elif defined LAST_STEP
#ifdef ON_EXIT
  on_exit(leaves_mark_too, 0);
#else
  atexit(leaves_mark);
#endif
  pthread_create(&thread, 0, sees_mark, 0);
#else
#ifdef READS
  atexit(reads);
#endif
  pthread_create(&thread, 0, writes, 0);
#endif
  return 0;
}
