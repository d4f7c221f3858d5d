// Two threads take two locks in opposite orders.
// FIXED: in the same order.
#include "crew.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter = 1;

static void change_under(pthread_mutex_t* outer, pthread_mutex_t* inner, int by) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  counter += by;
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}

static void* increment(void* unused) {
  change_under(&a, &b, 1);
  return unused;
}

static void* decrement(void* unused) {
#ifdef FIXED
  change_under(&a, &b, -1);
#else
  change_under(&b, &a, -1);
#endif
  return unused;
}

int main(void) {
  start(increment, 0);
  start(decrement, 0);
  join_all();
}
