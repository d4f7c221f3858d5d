// Threads allocate blocks for inodes (Flanagan and Godefroid, POPL 2005): up to 13 of them never
// meet. Classes: 2, 8, 32, 64 for 14, 16, 18, 19 threads (POPL 2014).
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=14
// EXECUTIONS: 2
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=16
// EXECUTIONS: 8
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=18
// EXECUTIONS: 32
// RUN: --strategy=optimal-dpor
// FLAGS: -DTHREADS=19
// EXECUTIONS: 64
#include <pthread.h>

#ifndef THREADS
#define THREADS 14
#endif
#define BLOCKS 26
#define INODES 32

static pthread_mutex_t inode_guards[INODES], block_guards[BLOCKS];
static int inodes[INODES], busy[BLOCKS];

static void* allocate(void* argument) {
  int i = (int)(long)argument % INODES;
  pthread_mutex_lock(&inode_guards[i]);
  for (int b = i * 2 % BLOCKS; inodes[i] == 0; b = (b + 1) % BLOCKS) {
    pthread_mutex_lock(&block_guards[b]);
    if (!busy[b]) {
      busy[b] = 1;
      inodes[i] = b + 1;
    }
    pthread_mutex_unlock(&block_guards[b]);
  }
  pthread_mutex_unlock(&inode_guards[i]);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_guards[i], NULL);
  for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_guards[i], NULL);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, allocate, (void*)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
