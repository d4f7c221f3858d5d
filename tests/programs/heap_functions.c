// The less common functions of the heap give blocks like malloc's: aligned as asked for, checked,
// and the same in every execution.
//
// FLAGS: -D_GNU_SOURCE -w
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DBEYOND
// EXPECT: fail out-of-bounds
// RUN: --strategy=dfs
// FLAGS: -DKEPT
// EXPECT: fail leak
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void use(void* block, size_t alignment, size_t bytes) {
  assert(block != NULL && (uintptr_t)block % alignment == 0 && malloc_usable_size(block) >= bytes);
  memset(block, 1, bytes);
  free(block);
}

static void* work(void* unused) {
  void* block = NULL;
  assert(posix_memalign(&block, 256, 100) == 0);
  use(block, 256, 100);
  use(aligned_alloc(64, 128), 64, 128);
  use(memalign(512, 10), 512, 10);
  use(valloc(100), 4096, 100);
  use(pvalloc(100), 4096, 4096);
  char* array = reallocarray(NULL, 10, 10);
  memset(array, 2, 100);
  array = reallocarray(array, 100, 10);
  assert(array[99] == 2 && reallocarray(array, SIZE_MAX, 2) == NULL);
#ifdef BEYOND
  volatile int at = 1000;
  array[at] = 1;
#endif
#ifndef KEPT
  free(array);
#endif
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&two, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
