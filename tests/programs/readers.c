// READERS threads read what WRITERS threads write (with one writer: POPL 2014). Classes: 2^READERS
// for one writer; 75,000 for four writers and five readers, who can see only 5^5 = 3,125 things.
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DREADERS=2
// EXECUTIONS: 4
// RUN: --strategy=optimal-dpor
// FLAGS: -DREADERS=8
// EXECUTIONS: 256
// RUN: --strategy=source-dpor
// FLAGS: -DREADERS=8
// EXECUTIONS: 256
// RUN: --strategy=optimal-dpor --equivalence=reads-from
// FLAGS: -DREADERS=5 -DWRITERS=4
// EXECUTIONS: 3125
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 5
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

static atomic_int x;
static int seen[READERS];

static void* write_it(void* number) {
  atomic_store(&x, (int)(long)number);
  return NULL;
}

static void* read_it(void* number) {
  seen[(long)number] = atomic_load(&x);
  return NULL;
}

int main(void) {
  pthread_t threads[WRITERS + READERS];
  for (long i = 0; i < WRITERS; i++) pthread_create(&threads[i], NULL, write_it, (void*)(i + 1));
  for (long i = 0; i < READERS; i++) pthread_create(&threads[WRITERS + i], NULL, read_it, (void*)i);
  for (int i = 0; i < WRITERS + READERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
