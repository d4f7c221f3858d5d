// What is allowed at the edges of blocks: the last byte, what malloc_usable_size says, sizes of
// zero, growing and shrinking, copies of whole blocks.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void fill(char* block, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) block[i] = (char)i;
}

static void* work(void* unused) {
  static const size_t kSizes[] = {1, 7, 8, 9, 16, 17, 255, 256, 4096, 65535, 65536, 100001};
  for (size_t i = 0; i < sizeof kSizes / sizeof *kSizes; i++) {
    char* block = malloc(kSizes[i]);
    fill(block, malloc_usable_size(block));
    char* copy = malloc(kSizes[i]);
    memcpy(copy, block, kSizes[i]);
    block = realloc(block, kSizes[i] * 2);
    fill(block, kSizes[i] * 2);
    block = realloc(block, kSizes[i] / 2 + 1);
    fill(block, kSizes[i] / 2 + 1);
    free(block);
    free(copy);
  }
  free(malloc(0));
  char* aligned = aligned_alloc(64, 128);
  fill(aligned, 128);
  free(aligned);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  work(NULL);
  return 0;
}
