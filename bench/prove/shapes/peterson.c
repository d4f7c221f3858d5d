// Peterson's mutual exclusion; executions in which somebody would wait are left out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 4
#endif

extern void __VERIFIER_assume(int);

static atomic_int wants[2], turn;
static int inside;

static void* run(void* p) {
  const int me = p != 0, other = !me;
  for (int i = 0; i < ROUNDS; ++i) {
    wants[me] = 1;
    turn = other;
    __VERIFIER_assume(!(wants[other] && turn == other));
    ++inside;
    assert(inside == 1);
    --inside;
    wants[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, &turn);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
