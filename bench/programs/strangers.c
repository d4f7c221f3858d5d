// Threads that have nothing in common: each locks a mutex of its own.
#include <pthread.h>
#include <stdlib.h>

enum { kMost = 1000 };
static pthread_mutex_t mutexes[kMost];

static void* work(void* own) {
  pthread_mutex_lock(own);
  pthread_mutex_unlock(own);
  return NULL;
}

int main(int argc, char** argv) {
  static pthread_t threads[kMost];
  const int count = argc > 1 ? atoi(argv[1]) : 2;
  for (int i = 0; i < count; ++i) {
    pthread_mutex_init(&mutexes[i], NULL);
    pthread_create(&threads[i], NULL, work, &mutexes[i]);
  }
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  return 0;
}
