// One thread increments a counter under its lock and looks whether it did; OTHERS do the same
// under another lock.
// FIXED: one lock.
#include <assert.h>
#include <stdatomic.h>

#include "crew.h"

#ifndef OTHERS
#define OTHERS 3
#endif

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
#define OTHER_LOCK data_lock
#else
static pthread_mutex_t other_lock = PTHREAD_MUTEX_INITIALIZER;
#define OTHER_LOCK other_lock
#endif
static atomic_int data;

static void* increment_and_look(void* unused) {
  pthread_mutex_lock(&data_lock);
  const int before = data;
  data = data + 1;
  assert(data == before + 1);
  pthread_mutex_unlock(&data_lock);
  return unused;
}

static void* increment(void* unused) {
  pthread_mutex_lock(&OTHER_LOCK);
  data = data + 1;
  pthread_mutex_unlock(&OTHER_LOCK);
  return unused;
}

int main(void) {
  start(increment_and_look, 0);
  start_many(OTHERS, increment);
  join_all();
}
