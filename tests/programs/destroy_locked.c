// main destroys a mutex that the thread may still hold.
//
// RUN: --strategy=icb
// EXPECT: fail mutex-misuse
// PREEMPTIONS: 1
// MESSAGE: destroy
// RUN: --strategy=icb --bound=0
// EXPECT: pass
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int used;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  atomic_store(&used, 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  int done = atomic_load(&used);
  if (!done) pthread_join(thread, NULL);
  pthread_mutex_destroy(&mutex);
  if (done) pthread_join(thread, NULL);
  return 0;
}
