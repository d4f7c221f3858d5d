// A normal mutex unlocked by a thread that does not hold it.
//
// RUN: --strategy=icb
// EXPECT: fail mutex-misuse
// MESSAGE: unlock
// RUN: --strategy=dfs
// EXPECT: fail mutex-misuse
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
