// A producer pushes, a consumer pops as soon as the stack was used for the first time; nobody
// notices that it may be empty again.
// FIXED: the consumer asks whether the stack is empty.
#include <assert.h>

#include "crew.h"

#ifndef SIZE
#define SIZE 10
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int elements[SIZE], top, used;

static void* push_all(void* unused) {
  for (int i = 0; i < SIZE; ++i) {
    pthread_mutex_lock(&lock);
    assert(top < SIZE);
    elements[top++] = i;
    used = 1;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* pop_all(void* unused) {
  for (int i = 0; i < SIZE; ++i) {
    pthread_mutex_lock(&lock);
#ifdef FIXED
    used = top > 0;
#endif
    if (used) {
      assert(top > 0);
      --top;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  start(push_all, 0);
  start(pop_all, 0);
  join_all();
}
