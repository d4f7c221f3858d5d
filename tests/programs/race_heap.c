// A block of memory that one thread writes to while another gives it back, under different locks.
//
// RUN: --strategy=icb
// EXPECT: fail data-race
// RUN: --strategy=dfs
// FLAGS: -DSAME_LOCK
// EXPECT: pass
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
#ifdef SAME_LOCK
#define other one
#else
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
#endif
static int* _Atomic block;

static void* use(void* unused) {
  pthread_mutex_lock(&one);
  int* mine = block;
  if (mine) mine[3] = 1;
  pthread_mutex_unlock(&one);
  return unused;
}

int main(void) {
  pthread_t user;
  block = calloc(10, sizeof(int));
  pthread_create(&user, NULL, use, NULL);
  pthread_mutex_lock(&other);
  int* mine = block;
  block = NULL;
  free(mine);
  pthread_mutex_unlock(&other);
  pthread_join(user, NULL);
  return 0;
}
