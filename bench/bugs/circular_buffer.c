// A sender and a receiver alternate over a buffer, by two flags, but each counts its attempts
// instead of its successes: the receiver expects the wrong element after the first idle round.
// FIXED: both count what they have done.
#include <assert.h>

#include "crew.h"

#define ROUNDS 7

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[ROUNDS + 1], inserted, removed;
static int may_send = 1, may_receive;

static void* send(void* unused) {
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&lock);
    if (may_send) {
#ifdef FIXED
      buffer[inserted] = inserted;
      ++inserted;
#else
      buffer[inserted++] = i;
#endif
      may_send = 0;
      may_receive = 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* receive(void* unused) {
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&lock);
    if (may_receive) {
      const int value = buffer[removed++];
#ifdef FIXED
      assert(value == removed - 1);
#else
      assert(value == i);
#endif
      may_receive = 0;
      may_send = 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  start(send, 0);
  start(receive, 0);
  join_all();
}
