// A thread that looks LOOKS times and then goes on without what it waited for: that is no waiting,
// however often it looks.
//
// EXPECT: fail assertion
// RUN: --strategy=dfs
// RUN: --strategy=icb
// RUN: --strategy=optimal-dpor
// RUN: --strategy=portfolio
// RUN: --strategy=optimal-dpor
// FLAGS: -DLOOKS=2100
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef LOOKS
#define LOOKS 20
#endif

static atomic_int ready;

static void* send(void* unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, NULL, send, NULL);
  int looks = 0;
  while (!atomic_load(&ready) && looks < LOOKS) {
    ++looks;
    sched_yield();
  }
  assert(looks < LOOKS);
  pthread_join(sender, NULL);
  return 0;
}
