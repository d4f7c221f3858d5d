#include "stock.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left;

void stock_fill(int items) {
  pthread_mutex_lock(&lock);
  left = items;
  pthread_mutex_unlock(&lock);
}

int stock_left(void) {
  pthread_mutex_lock(&lock);
  const int now = left;
  pthread_mutex_unlock(&lock);
  return now;
}

int stock_take(void) {
#ifndef STOCK_IS_RIGHT
  if (stock_left() == 0) return 0;  // and who takes it before we do?
#endif
  pthread_mutex_lock(&lock);
  int taken = 1;
#ifdef STOCK_IS_RIGHT
  taken = left > 0;
#endif
  left -= taken;
  pthread_mutex_unlock(&lock);
  return taken;
}
