// The given number of additions in a register, while another thread exists.
#include <pthread.h>
#include <stdlib.h>

static void* end(void* unused) {
  return unused;
}

int main(int count, char** arguments) {
  long additions = count > 1 ? atol(arguments[1]) : 1000;
  pthread_t other;
  pthread_create(&other, NULL, end, NULL);
  long sum = 0;
  for (long i = 0; i < additions; i++) __asm__ volatile("add %1, %0" : "+r"(sum) : "r"(i));
  pthread_join(other, NULL);
  return sum == 1;
}
