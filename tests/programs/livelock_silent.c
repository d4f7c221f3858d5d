// A loop without any visible action is caught by the watchdog, and the search goes on.
//
// RUN: --strategy=icb --watchdog=1
// EXPECT: fail livelock
// PREEMPTIONS: 1
// RUN: --strategy=icb --bound=0 --watchdog=1
// EXPECT: pass
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void* work(void* unused) {
  if (atomic_load(&state) == 1)
    for (;;) __asm__ volatile("");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  atomic_store(&state, 1);
  atomic_store(&state, 0);
  pthread_join(thread, NULL);
  return 0;
}
