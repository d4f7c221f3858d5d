// The filter local-cycles: who goes in circles for ever is reported, and a loop that counts in
// memory is no circle.
//
// RUN: --strategy=dfs --filter=local-cycles
// FLAGS: -DNOBODY
// EXPECT: fail livelock
// RUN: --strategy=dfs --filter=seen,local-cycles
// FLAGS: -DNOBODY
// EXPECT: fail livelock
// RUN: --strategy=dfs --filter=local-cycles
// EXPECT: pass
// RUN: --strategy=dfs --filter=seen,local-cycles
// EXPECT: pass
// RUN: --strategy=dfs --filter=local-cycles
// FLAGS: -DGIVES_UP
// EXPECT: fail assertion
// RUN: --strategy=dfs --filter=seen,local-cycles
// FLAGS: -DGIVES_UP
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;
static int tries;  // of the waiter alone

static __attribute__((noinline)) int give_up(void) {
#ifdef GIVES_UP
  return ++tries >= 3;
#else
  return 0;
#endif
}

static void* wait_for_it(void* unused) {
  while (!atomic_load(&flag))
    if (give_up()) break;
  assert(tries < 3);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_it, NULL);
#ifndef NOBODY
  atomic_store(&flag, 1);
#endif
  pthread_join(thread, NULL);
}
