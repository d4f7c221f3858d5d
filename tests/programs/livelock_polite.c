// Two threads that let each other go first, again and again. They change something in every round,
// so that nobody can call it waiting; but no thread is left out, and it does not end.
//
// RUN: --max-steps=1000 --strategy=portfolio
// EXPECT: fail livelock
// MESSAGE: nor when every thread had its turn
// LOCATION: livelock_polite.c
// TRACE: evidence loop
// RUN: --max-steps=1000 --strategy=icb --bound=0
// EXPECT: pass
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void* work(void* argument) {
  atomic_int *own = argument, *other = own == wants ? wants + 1 : wants;
  for (;;) {
    atomic_store(own, 1);
    if (!atomic_load(other)) break;
    atomic_store(own, 0);  // after you
    sched_yield();
  }
  atomic_store(own, 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, wants);
  pthread_create(&b, NULL, work, wants + 1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
