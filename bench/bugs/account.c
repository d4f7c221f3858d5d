// A deposit and a withdrawal, each under the lock, and an auditor who computes the new balance
// with the wrong sign. Only an auditor that comes last is able to notice.
// FIXED: the right sign.
#include <assert.h>

#include "crew.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const int opening = 1, paid_in = 2, taken_out = 4;
static int balance, deposited, withdrawn;

static void* audit(void* unused) {
  pthread_mutex_lock(&lock);
#ifdef FIXED
  const int expected = opening + paid_in - taken_out;
#else
  const int expected = opening - paid_in - taken_out;
#endif
  if (deposited && withdrawn) assert(balance == expected);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* deposit(void* unused) {
  pthread_mutex_lock(&lock);
  balance += paid_in;
  deposited = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* withdraw(void* unused) {
  pthread_mutex_lock(&lock);
  balance -= taken_out;
  withdrawn = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  balance = opening;
  start(audit, 0);
  start(deposit, 0);
  start(withdraw, 0);
  join_all();
}
