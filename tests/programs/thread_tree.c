// Threads that create threads; each heap block keeps its address whatever the schedule, because
// threads are named by parent and order of birth. The addresses of the first execution are kept in
// a file and compared in all others.
//
// EXPECT: pass
// RUN: --strategy=icb --bound=0
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static void same_as_in_every_execution(int slot, void* address) {
  int file = open("addresses", O_RDWR | O_CREAT, 0600);
  void* seen = NULL;
  assert(file >= 0);
  if (pread(file, &seen, sizeof seen, slot * (int)sizeof seen) != sizeof seen || seen == NULL)
    assert(pwrite(file, &address, sizeof address, slot * (int)sizeof address) == sizeof address);
  else
    assert(seen == address);
  close(file);
}

static void* leaf(void* slot) {
  void* block = malloc(100);
  same_as_in_every_execution((int)(intptr_t)slot, block);
  free(block);
  return NULL;
}

static void* branch(void* first) {
  pthread_t children[2];
  for (intptr_t i = 0; i < 2; ++i)
    pthread_create(&children[i], NULL, leaf, (void*)((intptr_t)first + i));
  for (int i = 0; i < 2; ++i) pthread_join(children[i], NULL);
  return NULL;
}

int main(void) {
  pthread_t branches[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&branches[i], NULL, branch, (void*)(2 * i));
  for (int i = 0; i < 2; ++i) pthread_join(branches[i], NULL);
  return 0;
}
