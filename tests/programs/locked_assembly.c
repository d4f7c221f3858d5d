// An atomic instruction written in assembly is nobody's step: the report says where it is.
//
// NOTE: 1 atomic instruction is not under control
// NOTE: locked_assembly.c:
// EXPECT: unknown
// RUN: --strategy=icb
// RUN: --strategy=icb
// FLAGS: -O0
// RUN: --strategy=icb
// DOOR: preload
#include <pthread.h>

static int counter;

static void* count(void* unused) {
  __asm__ volatile("lock incl %0" : "+m"(counter));
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  pthread_join(thread, 0);
  return counter == 1 ? 0 : 1;
}
