// A thread that computes for longer than the watchdog waits may come to an end: no livelock is
// claimed unless a state comes back, or the loop has no way out. One that waits longer and longer
// from round to round is taken to wait after a few.
//
// RUN: --strategy=icb --watchdog=0.3
// EXPECT: unknown
// NOTE: thread 1 computes for long without a visible action
// RUN: --strategy=icb
// FLAGS: -DBACKS_OFF
// EXPECT: pass
// RUN: --strategy=icb --watchdog=0.3 --minimise=0
// FLAGS: -DEND=0
// EXPECT: fail livelock
// RUN: --strategy=icb --watchdog=0.3
// FLAGS: -DEND=i==0
// EXPECT: unknown
// NOTE: computes for long without a visible action
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static unsigned long half(unsigned long i);
static __attribute__((noinline)) unsigned long next(unsigned long i) {
  return i % 3 == 0 ? half(i) + 7 : i + 1;
}
static __attribute__((noinline)) unsigned long half(unsigned long i) {
  return i / 2 + i;
}

static void* work(void* result) {
#ifdef BACKS_OFF
  for (unsigned long rounds = 1; !atomic_load(&flag); rounds *= 2)
    for (unsigned long i = 0; i < rounds; ++i) __builtin_ia32_pause();
#elif defined END
  for (unsigned long i = 1;; i = next(i)) {
    __asm__ volatile("" : "+r"(i));  // any value, as far as the compiler knows
    if (END) break;
  }
#else
  unsigned long sum = 1;
  for (unsigned long i = 0; i < 40000000000; ++i) sum = sum * 6364136223846793005 + i;
  *(unsigned long*)result = sum;
#endif
  return result;
}

int main(void) {
  pthread_t thread;
  unsigned long result = 0;
  pthread_create(&thread, NULL, work, &result);
  atomic_store(&flag, 1);
  pthread_join(thread, NULL);
  return 0;
}
