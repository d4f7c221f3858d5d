// Threads that nobody joins, and a main that leaves by pthread_exit: the order of steps is a tree,
// and a tree of n steps has n! / (product of the subtree sizes) orders. Here
//   create a (7) > start a (2) > exit a (1)
//   create a     > create b (4) > start b (2) > exit b (1)
//                  create b     > exit main (1)
// which gives 7! / (7 * 2 * 4 * 2) = 45.
//
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: 45
#include <pthread.h>

static void* work(void* unused) {
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_exit(NULL);
}
