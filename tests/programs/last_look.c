// Up to reads from, what main looks at after the last join tells executions apart, too.
//
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DNOT=1
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DNOT=2
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DNOT=3
// EXPECT: pass
// EXECUTIONS: 2
// GUARANTEE: which write each read sees
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DNOT=4
// EXPECT: pass
// GUARANTEE: leaks only as these executions show them
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DPLAIN -DNOT=1
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DPLAIN -DNOT=2
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DPLAIN -DNOT=3
// EXPECT: pass
// RUN: --keep-going --strategy=portfolio --equivalence=reads-from
// FLAGS: -DNOT=1 -DNOR=2
// EXPECT: fail assertion
// FINDINGS: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef PLAIN
static int value;
#define STORE(p, v) __atomic_store_n(p, v, __ATOMIC_SEQ_CST)
#define LOAD(p) (*(p))
#else
static atomic_int value;
#define STORE(p, v) atomic_store(p, v)
#define LOAD(p) atomic_load(p)
#endif

static void* one(void* unused) {
  STORE(&value, 1);
  return unused;
}

static void* two(void* unused) {
  STORE(&value, 2);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(LOAD(&value) != NOT);
#ifdef NOR
  assert(LOAD(&value) != NOR);
#endif
  return 0;
}
