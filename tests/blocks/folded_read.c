// An optimiser may take the value just written for the one read: where every access is a step, the
// read is made all the same, whatever level is asked for.
#include <assert.h>
#include <pthread.h>

static int x;
static struct { int low, high; } pair;

static void* write_both(void* unused) {
  x = 2;
  pair.low = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_both, NULL);
#ifdef LOOP
  int sum = 0;
  for (int i = 0; i < 2; ++i) sum += pair.low;
  assert(sum != 2);
#else
  x = 1;
  assert(x == 1);
#endif
  pthread_join(thread, NULL);
  return 0;
}
