// Cleanup handlers run, innermost first, when a thread leaves by pthread_exit.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <assert.h>
#include <pthread.h>

static int order;

static void clean_up(void* digit) {
  order = 10 * order + *(int*)digit;
}

static void* work(void* unused) {
  int one = 1, two = 2;
  pthread_cleanup_push(clean_up, &two);
  pthread_cleanup_push(clean_up, &one);
  pthread_exit(unused);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  assert(order == 12);
  return 0;
}
