// Every access is under the lock, but nothing makes the free wait for the last use.
//
// RUN: --strategy=icb
// EXPECT: fail use-after-free
// CAUSE: order violation
// LOCATION: use_after_free.c
// MESSAGE: has been freed
// RUN: --strategy=dfs
// EXPECT: fail use-after-free
// RUN: --strategy=dfs --memory=off
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DBYTES=200000
// EXPECT: fail use-after-free
// RUN: --strategy=dfs
// FLAGS: -DJOIN_FIRST
// EXPECT: pass
#include <pthread.h>
#include <stdlib.h>

#ifndef BYTES
#define BYTES 40
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char* block;

static void* use(void* unused) {
  pthread_mutex_lock(&mutex);
  block[BYTES / 2] = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t user;
  block = malloc(BYTES);
  pthread_create(&user, NULL, use, NULL);
#ifdef JOIN_FIRST
  pthread_join(user, NULL);
#endif
  pthread_mutex_lock(&mutex);
  free(block);
  pthread_mutex_unlock(&mutex);
#ifndef JOIN_FIRST
  pthread_join(user, NULL);
#endif
  return 0;
}
