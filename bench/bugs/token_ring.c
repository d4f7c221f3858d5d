// Three stations copy a value around a ring, each once and in one critical section; an observer
// believes that all agree once all have copied, whatever the order was.
// FIXED: each station waits for the one before it.
#include <assert.h>

#include "crew.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;
static int value[3] = {1, 2, 1}, done[3];

static void* copy(void* number) {
  const long own = (long)number, before = (own + 2) % 3;
  pthread_mutex_lock(&lock);
#ifdef FIXED
  while (own != 0 && !done[before]) pthread_cond_wait(&passed, &lock);
#endif
  value[own] = own == 0 ? (value[before] + 1) % 4 : value[before];
  done[own] = 1;
  pthread_cond_broadcast(&passed);
  pthread_mutex_unlock(&lock);
  return 0;
}

static void* observe(void* unused) {
  pthread_mutex_lock(&lock);
  if (done[0] && done[1] && done[2]) assert(value[0] == value[1] && value[1] == value[2]);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  start_many(3, copy);
  start(observe, 0);
  join_all();
}
