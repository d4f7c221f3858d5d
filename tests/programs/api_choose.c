// heddle_choose: every value is tried, also where main is alone, by enumeration and by reductions.
//
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: 6
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 6
// RUN: --strategy=dfs --keep-going
// FLAGS: -DONE_IS_WRONG
// EXPECT: fail assertion
// FINDINGS: 1
// MESSAGE: heddle_assert `!(first == 1 && second == 2)' fails in main at api_choose.c
// LOCATION: api_choose.c
// RUN: --strategy=dfs
// FLAGS: -DCONCURRENT
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DCONCURRENT
// EXPECT: pass
// EXECUTIONS: 8
// RUN: --strategy=source-dpor --keep-going
// FLAGS: -DCONCURRENT -DSUM_IS_WRONG
// EXPECT: fail assertion
// FINDINGS: 1
// RUN: --strategy=dfs
// DOOR: preload
// EXPECT: pass
// EXECUTIONS: 6
// RUN: --strategy=dfs
// DOOR: preload
// FLAGS: -no-pie -fno-pie
// EXPECT: pass
// EXECUTIONS: 6
// RUN:
// FLAGS: -DNOTHING
// EXPECT: fail assertion
// MESSAGE: choose from nothing
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void* add(void* unused) {
  atomic_fetch_add(&sum, 1 + (int)heddle_choose(2));
  return unused;
}

int main(void) {
#ifdef NOTHING
  heddle_choose(0);
#elif defined CONCURRENT
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_create(&two, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
#ifdef SUM_IS_WRONG
  heddle_assert(sum != 4);
#else
  heddle_assert(sum >= 2 && sum <= 4);
#endif
#else
  unsigned first = heddle_choose(2), second = heddle_choose(3);
  heddle_assert(first < 2 && second < 3);
#ifdef ONE_IS_WRONG
  heddle_assert(!(first == 1 && second == 2));
#endif
  (void)add;
#endif
  return 0;
}
