// The pointer is published after the thread that uses it was started.
//
// RUN: --strategy=icb
// EXPECT: fail crash
// PREEMPTIONS: 1
// LOCATION: null_pointer.c
// RUN: --strategy=icb --bound=0
// EXPECT: pass
// RUN: --strategy=dfs --keep-going
// EXPECT: fail crash
// FINDINGS: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int*) published;

static void* reader(void* unused) {
  *atomic_load(&published) = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  int target;
  pthread_create(&thread, NULL, reader, NULL);
  atomic_store(&published, &target);
  pthread_join(thread, NULL);
  return 0;
}
