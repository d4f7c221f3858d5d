// The malloc family in several threads, freed where it was allocated and elsewhere.
//
// EXPECT: pass
// RUN: --strategy=dfs
// RUN: --strategy=icb --bound=1
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void* work(void* unused) {
  char* text = strdup("from the heap");
  text = realloc(text, 100000);
  assert(strcmp(text, "from the heap") == 0);
  text = realloc(text, 20);
  assert(strcmp(text, "from the heap") == 0);
  sched_yield();
  char* zeroed = calloc(100, 10);
  for (int i = 0; i < 1000; ++i) assert(zeroed[i] == 0);
  memset(zeroed, 1, 1000);
  free(zeroed);
  void *aligned = aligned_alloc(4096, 8192), *posix = NULL;
  assert((uintptr_t)aligned % 4096 == 0);
  assert(posix_memalign(&posix, 64, 10) == 0 && (uintptr_t)posix % 64 == 0);
  assert(malloc_usable_size(posix) >= 10);
  free(aligned);
  free(posix);
  char* large = malloc(10 << 20);
  large[0] = large[(10 << 20) - 1] = 1;
  free(large);
  free(NULL);
  return text;
}

int main(void) {
  pthread_t thread;
  void* text;
  pthread_create(&thread, NULL, work, NULL);
  free(work(NULL));
  pthread_join(thread, &text);
  assert(strcmp(text, "from the heap") == 0);
  free(text);
  return 0;
}
