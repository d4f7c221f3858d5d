// Futexes as system calls: a lock in the manner of Drepper's "Futexes are tricky", right and wrong.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNO_WAKE
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DNO_WAKE
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DTWO_WAITERS
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -DTWO_WAITERS
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DTIMED
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DTIMED
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DTIMED -DCLAIM_IN_TIME
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DREQUEUE
// EXPECT: unsupported futex
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint word;
static int inside;

static long futex(int operation, unsigned value, struct timespec* timeout) {
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, NULL, 0);
}

#if defined TWO_WAITERS
static atomic_int first;

// Which of two waiters is woken is not for them to say.
static void* work(void* number) {
  futex(FUTEX_WAIT, 0, NULL);
  int nobody = 0;
  atomic_compare_exchange_strong(&first, &nobody, (int)(intptr_t)number);
  assert(atomic_load(&first) == 1);
  return NULL;
}

static void meddle(void) {
  while (atomic_load(&word) == 0 && futex(FUTEX_WAKE, 1, NULL) == 0) {
    atomic_store(&word, 1);
    futex(FUTEX_WAKE, INT_MAX, NULL);
  }
  atomic_store(&word, 1);
  futex(FUTEX_WAKE, INT_MAX, NULL);
}
#elif defined TIMED
static void* work(void* unused) {
  struct timespec time = {1, 0};
  long result = 0;
  while (atomic_load(&word) == 0 && result == 0) {
    result = futex(FUTEX_WAIT, 0, &time);
    if (result != 0 && errno == EAGAIN) result = 0;
  }
  assert(result == 0 || errno == ETIMEDOUT);
#ifdef CLAIM_IN_TIME
  assert(result == 0);
#endif
  return unused;
}

static void meddle(void) {
  atomic_fetch_add(&word, 1);
  futex(FUTEX_WAKE, INT_MAX, NULL);
}
#else
static void lock(void) {
  unsigned seen = 0;
  if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
  if (seen != 2) seen = atomic_exchange(&word, 2);
  while (seen != 0) {
    futex(FUTEX_WAIT, 2, NULL);
    seen = atomic_exchange(&word, 2);
  }
}

static void unlock(void) {
  if (atomic_fetch_sub(&word, 1) == 1) return;
  atomic_store(&word, 0);
#ifndef NO_WAKE
  futex(FUTEX_WAKE, 1, NULL);
#endif
}

static void* work(void* unused) {
  lock();
  assert(++inside == 1);
  --inside;
  unlock();
  return unused;
}

static void meddle(void) {
#ifdef REQUEUE
  futex(FUTEX_REQUEUE, 1, NULL);
#endif
}
#endif

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, (void*)1);
  pthread_create(&b, NULL, work, (void*)2);
  meddle();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
