// Freeing what malloc never gave out: the middle of a block, and a global.
//
// RUN: --strategy=dfs
// EXPECT: fail invalid-free
// RUN: --strategy=dfs
// FLAGS: -DOF_A_GLOBAL
// EXPECT: fail invalid-free
#include <pthread.h>
#include <stdlib.h>

static char global[64];

static void* work(void* block) {
#ifdef OF_A_GLOBAL
  block = global;
#endif
  char* volatile inside = (char*)block + 8;
  free(inside);
  return NULL;
}

int main(void) {
  pthread_t thread;
  void* block = malloc(64);
  pthread_create(&thread, NULL, work, block);
  pthread_join(thread, NULL);
  global[0] = 0;
  return 0;
}
