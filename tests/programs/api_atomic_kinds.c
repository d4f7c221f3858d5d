// What atomic sections may contain: each kind has a bug that shows in one order of the sections
// only, and every strategy finds it. The accesses inside are plain.
//
// LIBTSAN: no (it does not know atomic sections)
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=0 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=source-dpor
// FLAGS: -DKIND=0 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=1 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=source-dpor
// FLAGS: -DKIND=1 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=2 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=source-dpor
// FLAGS: -DKIND=2 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=3 -DBAD=1
// EXPECT: fail exit-status
// RUN: --races=off --strategy=source-dpor
// FLAGS: -DKIND=3 -DBAD=1
// EXPECT: fail exit-status
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=4 -DBAD=2
// EXPECT: fail assertion
// RUN: --races=off --strategy=source-dpor
// FLAGS: -DKIND=4 -DBAD=2
// EXPECT: fail assertion
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=5 -DBAD=1
// EXPECT: unsupported inside an atomic section
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=6 -DBAD=1
// EXPECT: unsupported inside an atomic section
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=7 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=source-dpor
// FLAGS: -DKIND=7 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=8 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=source-dpor
// FLAGS: -DKIND=8 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=optimal-dpor
// FLAGS: -DKIND=9 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=source-dpor
// FLAGS: -DKIND=9 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=portfolio
// FLAGS: -DKIND=5 -DBAD=1
// EXPECT: fail assertion
// RUN: --races=off --strategy=dpor
// FLAGS: -DKIND=2 -DBAD=1
// EXPECT: fail assertion
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
static int x, y, z, seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static void* none(void* p) {
  heddle_atomic_begin();
  z++;
  heddle_atomic_end();
  return 0;
}
static void* a(void* p) {
#if KIND == 0 /* order matters through plain memory */
  heddle_atomic_begin();
  x = 1;
  heddle_atomic_end();
#elif KIND == 1 /* section decides by what it reads */
  heddle_atomic_begin();
  if (x == 0)
    y = 1;
  else
    z = 1;
  heddle_atomic_end();
#elif KIND == 2 /* blocks in the middle */
  heddle_atomic_begin();
  x = 1;
  pthread_mutex_lock(&m);
  y = 1;
  heddle_atomic_end();
  pthread_mutex_unlock(&m);
#elif KIND == 3 /* exits in it */
  heddle_atomic_begin();
  if (x == 1) exit(3);
  heddle_atomic_end();
#elif KIND == 4 /* creates in it */
  pthread_t t;
  heddle_atomic_begin();
  x = 1;
  pthread_create(&t, 0, none, 0);
  x = 2;
  heddle_atomic_end();
  pthread_join(t, 0);
#elif KIND == 5 /* chooses in it */
  heddle_atomic_begin();
  x = 1 + heddle_choose(2);
  heddle_atomic_end();
#elif KIND == 6 /* waits in a loop */
  heddle_atomic_begin();
  while (!__atomic_load_n(&z, 5))
    ;
  x = 1;
  heddle_atomic_end();
#elif KIND == 7 /* semaphore */
  heddle_atomic_begin();
  x = 1;
  sem_wait(&s);
  y = 1;
  heddle_atomic_end();
#elif KIND == 8 /* ends in it */
  heddle_atomic_begin();
  x = 1;
  pthread_exit(0);
#elif KIND == 9 /* assumption */
  heddle_atomic_begin();
  heddle_assume(x == 0);
  y = 1;
  heddle_atomic_end();
#endif
  return 0;
}
static void* b(void* p) {
  heddle_atomic_begin();
  seen = x;
  heddle_atomic_end();
#if KIND == 0 || KIND == 8
  if (seen == 1) {
    heddle_atomic_begin();
    int v = y;
    heddle_atomic_end();
    assert(seen != BAD || v);
  }
#elif KIND == 1
  heddle_atomic_begin();
  x = 1;
  heddle_atomic_end();
#elif KIND == 2
  pthread_mutex_lock(&m);
  heddle_atomic_begin();
  int v = x, w = y;
  heddle_atomic_end();
  pthread_mutex_unlock(&m);
  assert(!(v == 1 && w == 0));
#elif KIND == 3
  heddle_atomic_begin();
  x = 1;
  heddle_atomic_end();
#elif KIND == 4
  assert(seen != 1 && seen != BAD);
#elif KIND == 5
  assert(seen != 2);
#elif KIND == 6
  __atomic_store_n(&z, 1, 5);
  heddle_atomic_begin();
  seen = x;
  heddle_atomic_end();
  assert(seen == 0);
#elif KIND == 7
  heddle_atomic_begin();
  int v = x, w = y;
  heddle_atomic_end();
  sem_post(&s);
  assert(!(v == 1 && w == 0));
#elif KIND == 9
  heddle_atomic_begin();
  x = 1;
  int w = y;
  heddle_atomic_end();
  assert(w == 0);
#endif
  return 0;
}
int main(void) {
  pthread_t t, u;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (KIND == 1) assert(z == 0);
}
