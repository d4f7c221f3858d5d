// Memory that one thread unmaps and another gets anew at the same address is no longer the same
// memory: nothing has to order their accesses.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DSHARED
// EXPECT: fail data-race
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

enum { kBytes = 1 << 16 };
static char* shared;

static char* map(void) {
  return mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void* work(void* unused) {
#ifdef SHARED
  shared[5] = 1;
#else
  char* mine = map();
  mine[5] = 1;
  munmap(mine, kBytes);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  shared = map();
  pthread_create(&thread, NULL, work, NULL);
  work(NULL);
  pthread_join(thread, NULL);
  return 0;
}
