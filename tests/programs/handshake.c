// Flags under the lock, waits in loops: correct in every schedule.
//
// EXPECT: pass
// RUN: --strategy=dfs
// RUN: --strategy=icb
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int request, answer;

static void* server(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!request) pthread_cond_wait(&cond, &mutex);
  answer = request + 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, server, NULL);
  pthread_mutex_lock(&mutex);
  request = 41;
  pthread_cond_signal(&cond);
  while (!answer) pthread_cond_wait(&cond, &mutex);
  assert(answer == 42);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
