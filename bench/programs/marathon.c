// Nearly a hundred thousand steps of eight threads over many objects, then an assertion that fails:
// for a report of that length.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, ROUNDS = 3120, CELLS = 500 };

static atomic_int cells[CELLS];
static pthread_mutex_t locks[THREADS];
static int sums[THREADS];

static void* work(void* argument) {
  long self = (long)argument;
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_t* lock = &locks[(self + i) % THREADS];
    pthread_mutex_lock(lock);
    atomic_fetch_add(&cells[(self * 61 + i) % CELLS], 1);
    sums[(self + i) % THREADS] += atomic_load(&cells[(self + 7 * i) % CELLS]);
    pthread_mutex_unlock(lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i) pthread_mutex_init(&locks[i], NULL);
  for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (long i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert(sums[0] == 0);
}
