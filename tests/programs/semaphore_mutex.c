// A semaphore as a mutex, and its classes: trying, failing and being woken are steps of their own
// under the reductions, so there are four: either thread first, and the other comes to it while it
// is taken or when it is free again.
//
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 4
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: model
// MODEL: main = create a; create b; join a; join b
// MODEL: a = lock s; unlock s
// MODEL: b = lock s; unlock s
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int inside;

static void* work(void* unused) {
  sem_wait(&semaphore);
  assert(++inside == 1);
  --inside;
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&semaphore, 0, 1);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
