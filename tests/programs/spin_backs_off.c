// A lock that waits longer from round to round, by pausing or by sleeping, up to a limit or (as
// others do) without one: a search does not let the others in between in each of these rounds.
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor --max-executions=1000
// RUN: --strategy=portfolio --max-executions=1000
// RUN: --strategy=icb --bound=1 --max-executions=1000
// RUN: --strategy=optimal-dpor --max-executions=1000
// FLAGS: -DSLEEPS
// RUN: --strategy=optimal-dpor --max-executions=1000
// FLAGS: -DNO_LIMIT
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { kThreads = 3 };

static atomic_int taken;
static int counter;

static void wait(unsigned long time) {
#ifdef SLEEPS
  usleep((useconds_t)time);
#else
  for (unsigned long i = 0; i < time; ++i) __builtin_ia32_pause();
#endif
}

static void* work(void* unused) {
  unsigned long time = 1;
  while (atomic_exchange(&taken, 1)) {
    wait(time);
#ifndef NO_LIMIT
    if (time < 1024)
#endif
      time *= 2;
  }
  ++counter;
  atomic_store(&taken, 0);
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return counter != kThreads;
}
