// Nobody passes a barrier before all have arrived; exactly one is told to be the serial thread.
//
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: model
// MODEL: main = create a; create b; join a; join b
// MODEL: a = arrive x 2
// MODEL: b = arrive x 2
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 2
// RUN: --strategy=optimal-dpor
// FLAGS: -DROUNDS=2
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DCLAIM_WHO_IS_LAST
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DCLAIM_WHO_IS_LAST
// EXPECT: fail assertion
// PREEMPTIONS: 0
// RUN: --strategy=icb
// FLAGS: -DTOO_MANY
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DTOO_MANY
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DNOT_INITIALISED
// EXPECT: fail barrier-misuse
// MESSAGE: is not initialised
// RUN: --strategy=icb
// FLAGS: -DDESTROY_AWAITED
// EXPECT: fail barrier-misuse
// RUN: --strategy=optimal-dpor
// FLAGS: -DDESTROY_AWAITED
// EXPECT: fail barrier-misuse
// RUN: --strategy=icb
// FLAGS: -DINITIALISE_AWAITED
// EXPECT: fail barrier-misuse
// MESSAGE: thread 0 initialises a barrier at which thread
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifdef TOO_MANY
#define COUNT 3
#else
#define COUNT 2
#endif

static pthread_barrier_t barrier;
static int arrived[ROUNDS][2], serial;

static void* work(void* number) {
  for (int round = 0; round < ROUNDS; ++round) {
    arrived[round][number != NULL] = 1;
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result != 0) ++serial;
    assert(arrived[round][0] + arrived[round][1] == 2);
#ifdef CLAIM_WHO_IS_LAST
    if (number) assert(result == PTHREAD_BARRIER_SERIAL_THREAD);
#endif
  }
  return number;
}

int main(void) {
  pthread_t a, b;
#ifndef NOT_INITIALISED
  assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
  pthread_barrier_init(&barrier, NULL, COUNT);
#endif
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, (void*)1);
#ifdef DESTROY_AWAITED
  pthread_barrier_destroy(&barrier);
#endif
#ifdef INITIALISE_AWAITED
  sched_yield();
  pthread_barrier_init(&barrier, NULL, COUNT);
#endif
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(serial == ROUNDS);
  pthread_barrier_destroy(&barrier);
  return 0;
}
