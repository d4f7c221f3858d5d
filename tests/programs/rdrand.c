// What the processor itself makes up is not under control: the report says where it is.
//
// NOTE: 2 instructions read random numbers or the processor's clock
// NOTE: rdrand.c:
// EXPECT: pass
// RUN: --strategy=icb
// RUN: --strategy=icb
// DOOR: preload
#include <pthread.h>

static void* look(void* unused) {
  unsigned long number, low, high;
  __asm__ volatile("rdrand %0" : "=r"(number) : : "cc");
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return number + low + high == 1 ? NULL : unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  pthread_join(thread, NULL);
}
