// A thread that looks twenty times and then goes on without what it waited for: that is no waiting.
//
// EXPECT: fail assertion
// RUN: --strategy=dfs
// RUN: --strategy=icb
// RUN: --strategy=optimal-dpor
// RUN: --strategy=portfolio
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;

static void* send(void* unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, NULL, send, NULL);
  int looks = 0;
  while (!atomic_load(&ready) && looks < 20) {
    ++looks;
    sched_yield();
  }
  assert(looks < 20);
  pthread_join(sender, NULL);
  return 0;
}
