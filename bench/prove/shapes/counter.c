// Two threads count, under a mutex or (-DUNLOCKED) without one.
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 5
#endif

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* unused) {
  for (int i = 0; i < ROUNDS; ++i) {
#ifndef UNLOCKED
    pthread_mutex_lock(&mutex);
#endif
    ++counter;
#ifndef UNLOCKED
    pthread_mutex_unlock(&mutex);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2 * ROUNDS);
}
