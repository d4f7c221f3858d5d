// Two threads wait for each other in turns, each in a loop; one of the loops reads two variables in
// each round, so that a circle has two steps.
//
// RUN: --strategy=dfs --filter=local-cycles
// EXPECT: pass
// RUN: --strategy=dfs --filter=seen,local-cycles
// EXPECT: pass
// RUN: --strategy=dfs --filter=seen,local-cycles
// FLAGS: -DWRONG
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int asked, answered, cancelled;

static void* answer(void* unused) {
  while (!asked && !cancelled) continue;
#ifndef WRONG
  asked = 0;
#endif
  answered = 1;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, answer, NULL);
  asked = 1;
  while (!answered) continue;
  assert(!asked);
  pthread_join(other, NULL);
}
