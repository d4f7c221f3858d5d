// What was found before a function that Heddle does not control is told, with its trace.
//
// RUN: --strategy=dfs --keep-going
// EXPECT: fail assertion
// LOCATION: refused_after_bug.c
// NOTE: the program calls fork
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int state;

static void* work(void* unused) {
  atomic_store(&state, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  const int seen = atomic_load(&state);
  if (seen == 1) fork();
  assert(seen == 1);
  pthread_join(thread, NULL);
  return 0;
}
