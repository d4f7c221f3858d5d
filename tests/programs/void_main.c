// What a main that returns nothing leaves in the register is no status, but what it hands to exit
// is one.
//
// FLAGS: -w
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DSTATUS=3
// EXPECT: fail exit-status
#include <pthread.h>
#include <stdlib.h>

static void* work(void* argument) {
  return argument;
}

void main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
#ifdef STATUS
  exit(STATUS);
#endif
}
