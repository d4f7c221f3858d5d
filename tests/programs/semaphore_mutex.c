// A semaphore as a mutex, and its classes: either thread comes first. When the other comes to wait
// does not matter.
//
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 2
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
