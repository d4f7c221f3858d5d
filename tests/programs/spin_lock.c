// Spin locks exclude each other, fail when tried while taken, and are no busy loops here.
//
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: model
// MODEL: main = create a; create b; join a; join b
// MODEL: a = lock l; unlock l
// MODEL: b = lock l; unlock l
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 2
// RUN: --strategy=icb
// FLAGS: -DTRY
// EXPECT: fail assertion
// PREEMPTIONS: 1
// RUN: --strategy=optimal-dpor
// FLAGS: -DTRY
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DAGAIN
// EXPECT: fail deadlock
// MESSAGE: holds already
// RUN: --strategy=icb
// FLAGS: -DUNLOCK_OF_ANOTHER
// EXPECT: fail spin-misuse
// MESSAGE: unlocks a spin lock that
// RUN: --strategy=icb
// FLAGS: -DNOT_INITIALISED
// EXPECT: fail spin-misuse
// MESSAGE: is not initialised
// RUN: --strategy=icb
// FLAGS: -DDESTROY_LOCKED
// EXPECT: fail spin-misuse
// MESSAGE: destroys a spin lock that
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int inside;

static void* work(void* unused) {
#ifdef UNLOCK_OF_ANOTHER
  pthread_spin_unlock(&lock);
#endif
#ifdef TRY
  int error = pthread_spin_trylock(&lock);
  assert(error == 0);  // wrong
#else
  pthread_spin_lock(&lock);
#endif
  assert(++inside == 1);
  --inside;
#ifdef AGAIN
  pthread_spin_lock(&lock);
#endif
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
#ifndef NOT_INITIALISED
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
#ifdef DESTROY_LOCKED
  pthread_spin_destroy(&lock);
#endif
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_spin_destroy(&lock);
  return 0;
}
