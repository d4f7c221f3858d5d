// eventfd_read and eventfd_write are reads and writes of the descriptor: they block one thread, not
// all of them, and each is a step.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=dfs --keep-going
// FLAGS: -DNEVER_BOTH
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --keep-going
// FLAGS: -DNEVER_ONE
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int counter;

static void* adds(void* unused) {
  assert(eventfd_write(counter, 1) == 0);
  return unused;
}

int main(void) {
  counter = eventfd(0, 0);
  pthread_t first, second;
  pthread_create(&first, NULL, adds, NULL);
  pthread_create(&second, NULL, adds, NULL);
  eventfd_t value = 0;
  assert(eventfd_read(counter, &value) == 0);
#ifdef NEVER_BOTH
  assert(value != 2);
#elif defined(NEVER_ONE)
  assert(value != 1);
#else
  assert(value == 1 || value == 2);
#endif
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}
