// Atomic operations on structures, which compilers leave to libatomic: steps and synchronisation
// like all others. With LOSE an update is lost; PLAIN writes beside them; GONE has the object
// freed; MESSAGE passes one on.
//
// FLAGS: -latomic
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=3
// EXPECT: pass
// EXECUTIONS: 4
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=24
// EXPECT: pass
// EXECUTIONS: 4
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=3 -DLOSE
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=7 -DLOSE
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=16 -DLOSE
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=24 -DLOSE
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=300 -DLOSE
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=24 -DLOSE
// DOOR: preload
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=5 -DPLAIN
// EXPECT: fail data-race
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=24 -DPLAIN
// EXPECT: fail data-race
// RUN: --strategy=optimal-dpor --races=off
// FLAGS: -DBYTES=5 -DGONE
// EXPECT: fail use-after-free
// RUN: --strategy=optimal-dpor --races=off
// FLAGS: -DBYTES=24 -DGONE
// EXPECT: fail use-after-free
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=24 -DMESSAGE=__ATOMIC_ACQUIRE
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DBYTES=24 -DMESSAGE=__ATOMIC_RELAXED
// EXPECT: fail data-race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Number {
  unsigned char digit[BYTES];
} __attribute__((aligned(BYTES == 16 ? 16 : 1)));

static struct Number* shared;
#ifdef MESSAGE
static int message;
#endif

static void* add(void* unused) {
  struct Number seen, next;
  __atomic_load(shared, &seen, __ATOMIC_SEQ_CST);
#ifdef LOSE
  next = seen;
  ++next.digit[0];
  __atomic_store(shared, &next, __ATOMIC_SEQ_CST);
#else
  do {
    next = seen;
    ++next.digit[0];
  } while (!__atomic_compare_exchange(shared, &seen, &next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
#endif
  return unused;
}

static void* other(void* unused) {
#ifdef PLAIN
  ++shared->digit[BYTES - 1];
#elif defined GONE
  free(shared);
  add(unused);
#elif defined MESSAGE
  struct Number none, seen;
  memset(&none, 0, sizeof none);
  __atomic_exchange(shared, &none, &seen, MESSAGE);
  if (seen.digit[0] == 1) assert(message == 5);
#else
  add(unused);
#endif
  return unused;
}

static void* first(void* unused) {
#ifdef MESSAGE
  message = 5;
#endif
  return add(unused);
}

int main(void) {
  shared = aligned_alloc(64, (BYTES + 63) / 64 * 64);
  memset(shared, 0, sizeof *shared);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, other, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
#if !defined PLAIN && !defined GONE && !defined MESSAGE
  assert(shared->digit[0] == 2);
#endif
#ifndef GONE
  free(shared);
#endif
  return 0;
}
