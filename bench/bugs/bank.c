// Transfers between accounts: the balance is read in one critical section and written in another.
// FIXED: in one.
#include <assert.h>

#include "crew.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance[2] = {100, 100};

static void* transfer(void* number) {
  const long from = (long)number % 2, to = 1 - from;
  pthread_mutex_lock(&lock);
  const int had_from = balance[from], had_to = balance[to];
#ifndef FIXED
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  balance[from] = had_from - 10;
  balance[to] = had_to + 10;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  start_many(3, transfer);
  join_all();
  assert(balance[0] + balance[1] == 200);
  assert(balance[0] == 90);
}
