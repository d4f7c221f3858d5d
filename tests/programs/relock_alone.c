// The same before any thread exists: there is no schedule to choose, but still a deadlock.
//
// RUN: --strategy=dfs
// EXPECT: fail deadlock
// EXECUTIONS: 1
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
