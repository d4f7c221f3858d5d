// Memory that a thread has written may be out of reach when it unlocks, and a wild pointer leads
// nowhere: the first is no bug, the second the program's own crash, at its own line.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN:
// FLAGS: -DWILD
// EXPECT: fail crash
// LOCATION: memory_gone.c:24
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  char* page = aligned_alloc(4096, 8192);
  page[0] = 1;
#ifdef WILD
  char* volatile wild = (char*)0x123450008;
  pthread_mutex_lock(&mutex);
  *wild = 1;
  pthread_mutex_unlock(&mutex);
#endif
  if (mprotect(page, 4096, PROT_NONE) != 0) abort();
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  if (mprotect(page, 4096, PROT_READ | PROT_WRITE) != 0) abort();
  free(page);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
