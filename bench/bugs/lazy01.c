// Two threads add 1 and 2 under a lock; a third does not expect to see both.
// FIXED: it does.
#include <assert.h>

#include "crew.h"

#ifdef FIXED
#define MOST 3
#else
#define MOST 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void* add(void* amount) {
  pthread_mutex_lock(&lock);
  data += (int)(long)amount;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void* look(void* unused) {
  pthread_mutex_lock(&lock);
  assert(data <= MOST);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  start(add, (void*)1);
  start(add, (void*)2);
  start(look, 0);
  join_all();
}
