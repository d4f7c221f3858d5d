// Two groups share a resource, one group at a time: the first of a group takes it, the last gives
// it back. Both is done under one lock, so that a group which waits for the resource keeps the
// other from giving it back. Two idle threads stand by, as in the original.
// FIXED: the resource is taken before the lock.
#include "crew.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, resource = PTHREAD_MUTEX_INITIALIZER;
static int users[2];

static void* use(void* group) {
  int* const own = &users[(long)group];
#ifdef FIXED
  pthread_mutex_lock(&resource);
#endif
  pthread_mutex_lock(&lock);
  ++*own;
#ifndef FIXED
  if (*own == 1) pthread_mutex_lock(&resource);
#endif
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  --*own;
  if (*own == 0) pthread_mutex_unlock(&resource);
  pthread_mutex_unlock(&lock);
  return 0;
}

static void* idle(void* unused) {
  return unused;
}

int main(void) {
  start_many(2, use);
  start_many(2, idle);
  join_all();
}
