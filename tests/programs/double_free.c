// Two threads clean up the same block when both look before either is done.
//
// RUN: --strategy=icb
// EXPECT: fail double-free
// PREEMPTIONS: 1
// RUN: --strategy=icb --bound=0
// EXPECT: pass
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(void*) block;

static void* clean_up(void* unused) {
  void* mine = atomic_load(&block);
  atomic_store(&block, NULL);
  if (mine) free(mine);
  return unused;
}

int main(void) {
  pthread_t thread;
  block = malloc(8);
  pthread_create(&thread, NULL, clean_up, NULL);
  clean_up(NULL);
  pthread_join(thread, NULL);
  return 0;
}
