// A quarter of a gigabyte of static data, a little of it written: reset follows what was written,
// so the whole search takes seconds. Every execution finds its data as the linker left it.
//
// MODEL: main = create a; create b; join a; join b
// MODEL: a = 2 yield
// MODEL: b = 2 yield
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: model
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

enum { HALF = 128 << 20 };
static char zeros[HALF];
static char ones[HALF] = {1};

static void* work(void* offset) {
  sched_yield();
  zeros[(intptr_t)offset] += 1;
  ones[HALF - 1 - (intptr_t)offset] += 1;
  sched_yield();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  assert(zeros[0] == 0 && zeros[HALF / 2] == 0 && ones[0] == 1 && ones[HALF - 1] == 0);
  pthread_create(&a, NULL, work, (void*)0);
  pthread_create(&b, NULL, work, (void*)(HALF / 2));
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(zeros[0] == 1 && zeros[HALF / 2] == 1);
  return 0;
}
