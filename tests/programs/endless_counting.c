// A thread that waits in a loop may change something in each round that others can see. Nobody
// knows that it does not matter to them, so that such rounds are explored one by one, without end:
// the search gives up after a while, undecided, and says where.
//
// EXPECT: unknown
// NOTE: endless_counting.c:
// NOTE: came to no end within 2000 steps
// RUN: --strategy=dfs --max-steps=2000
// RUN: --strategy=icb --max-steps=2000
// FLAGS: -DWITH_LOCK
// RUN: --max-steps=2000 --strategy=portfolio
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
#ifdef WITH_LOCK
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned rounds;
#else
static atomic_uint rounds;
#endif

static void* wait_until_done(void* unused) {
  while (!atomic_load(&done)) {
#ifdef WITH_LOCK
    pthread_mutex_lock(&mutex);
    ++rounds;
    pthread_mutex_unlock(&mutex);
#else
    atomic_fetch_add(&rounds, 1);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_until_done, NULL);
  atomic_store(&done, 1);
  pthread_join(waiter, NULL);
  return 0;
}
