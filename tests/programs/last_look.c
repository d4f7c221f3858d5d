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
// GUARANTEE: what plain reads find in memory that is written atomically does not count
// RUN: --keep-going --strategy=portfolio --equivalence=reads-from
// FLAGS: -DNOT=1 -DNOR=2
// EXPECT: fail assertion
// FINDINGS: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void* one(void* unused) {
  atomic_store(&value, 1);
  return unused;
}

static void* two(void* unused) {
  atomic_store(&value, 2);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(atomic_load(&value) != NOT);
#ifdef NOR
  assert(atomic_load(&value) != NOR);
#endif
  return 0;
}
