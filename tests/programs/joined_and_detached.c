// A thread that detaches itself while another waits for its end: one of the two is wrong, whoever
// comes first.
//
// RUN: --strategy=icb
// EXPECT: fail thread-misuse
// RUN: --strategy=optimal-dpor
// EXPECT: fail thread-misuse
// RUN: --strategy=icb
// FLAGS: -DTRIED
// EXPECT: fail thread-misuse
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

static void* work(void* unused) {
  pthread_detach(pthread_self());
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
#ifdef TRIED
  while (pthread_tryjoin_np(worker, NULL) != 0) sched_yield();
#else
  pthread_join(worker, NULL);
#endif
  return 0;
}
