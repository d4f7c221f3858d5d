// A hundred threads wait while others go on: what the search keeps of threads that do nothing must
// change when they are woken, one in the middle, those that are left, and after the first of them
// have ended.
//
// RUN: --strategy=random --max-executions=30
// EXPECT: unknown
// EXECUTIONS: 30
// RUN: --strategy=dfs --max-executions=30 --filter=seen
// EXPECT: unknown
// EXECUTIONS: 30
// RUN: --strategy=icb --bound=0 --max-executions=20
// EXPECT: unknown
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { kThreads = 100 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t waiting;
static int tokens, woken;

static void* wait(void* unused) {
  pthread_mutex_lock(&mutex);
  sem_post(&waiting);
  while (tokens == 0) pthread_cond_wait(&cond, &mutex);
  --tokens;
  ++woken;
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&barrier);
  return unused;
}

static void give(int count, int all) {
  pthread_mutex_lock(&mutex);
  tokens += count;
  if (all)
    pthread_cond_broadcast(&cond);
  else
    pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&barrier, 0, kThreads);
  sem_init(&waiting, 0, 0);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], 0, wait, 0);
  for (int i = 0; i < kThreads; ++i) sem_wait(&waiting);
  for (int i = 0; i < 3; ++i) give(1, 0);
  give(kThreads - 3, 1);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], 0);
  assert(woken == kThreads);
  sem_destroy(&waiting);
  return pthread_barrier_destroy(&barrier);
}
