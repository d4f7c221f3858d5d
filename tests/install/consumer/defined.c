// Needs its macros and the library of mathematics.
#include <assert.h>
#include <math.h>
#include <pthread.h>

enum { yes = 1 };

static void* work(void* number) {
  assert(fabs(cbrt(*(double*)number) - 3) < 0.001);
  return NULL;
}

int main(void) {
  pthread_t thread;
  double number = 27;
  assert(ANSWER == 42 && WORD == yes);
  pthread_create(&thread, NULL, work, &number);
  pthread_join(thread, NULL);
  return 0;
}
