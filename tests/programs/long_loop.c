// A loop that ends, but not within the limit of steps, is no livelock: nobody knows.
//
// RUN: --strategy=portfolio --max-steps=2000
// EXPECT: unknown
// RUN: --strategy=optimal-dpor --max-steps=2000
// EXPECT: unknown
// RUN: --strategy=dfs --max-steps=2000
// FLAGS: -DLOOKS
// EXPECT: unknown
// RUN: --strategy=optimal-dpor --max-steps=10000
// EXPECT: pass
// EXECUTIONS: 1
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
atomic_int never;  // not static: clang would know that nobody writes it

static void* work(void* mutex) {
  for (int i = 0; i < 2000; ++i) {
#ifdef LOOKS
    if (atomic_load(&never)) break;
#else
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
#endif
  }
  return mutex;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, &mutexes[0]);
  work(&mutexes[1]);
  pthread_join(thread, NULL);
}
