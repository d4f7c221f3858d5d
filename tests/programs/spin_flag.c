// Main waits in a loop until the other thread has raised a flag. A round that found it down leaves
// main where it was, with the same stack and registers, so the filter ends it; without the filter
// the search would go round for ever.
//
// RUN: --strategy=dfs --filter=local-cycles
// EXPECT: pass
// GUARANTEE: all final states
// RUN: --strategy=dfs --filter=seen,local-cycles
// EXPECT: pass
// RUN: --strategy=dfs --filter=local-cycles --order=breadth
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, data;

static void* raise_flag(void* unused) {
  data = 7;
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, raise_flag, NULL);
  while (!flag) continue;
  assert(data == 7);
  pthread_join(other, NULL);
}
