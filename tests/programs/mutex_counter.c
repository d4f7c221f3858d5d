// A counter under its lock. The counts for locks that exclude each other have no closed formula;
// the oracle enumerates the model.
//
// EXPECT: pass
// MODEL: main = create a; create b; join a; join b
// MODEL: a = lock m; unlock m; lock m; unlock m
// MODEL: b = lock m; unlock m; lock m; unlock m
// EXECUTIONS: model
// RUN: --strategy=dfs
// RUN: --strategy=icb
// RUN: --strategy=icb --bound=0
// RUN: --strategy=icb --bound=1
// RUN: --strategy=icb --bound=2
// RUN: --strategy=icb --bound=3
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 4);
  return 0;
}
