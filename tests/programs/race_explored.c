// What a race leads to: with its memory visible the lost update is found behind it.
//
// RUN: --strategy=icb --races=explore
// EXPECT: fail data-race assertion
// RUN: --strategy=dfs --races=explore
// EXPECT: fail data-race assertion
// RUN: --strategy=dfs --races=report --keep-going
// EXPECT: fail data-race
// RUN: --strategy=dfs --races=explore
// FLAGS: -DLOCKED
// EXPECT: pass
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* unused) {
#ifdef LOCKED
  pthread_mutex_lock(&mutex);
#endif
  counter++;
#ifdef LOCKED
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_destroy(&mutex);
  assert(counter == 2);
  return 0;
}
