// pthread_once: one thread runs the routine, the others wait until it is done and see what it did.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DBY_HAND
// EXPECT: fail data-race
// RUN: --strategy=icb
// FLAGS: -DWITHIN
// EXPECT: fail deadlock
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;

static void make(void) {
#ifdef WITHIN
  pthread_once(&once, make);  // waits for itself
#endif
  ++made;
}

static void* work(void* unused) {
#ifdef BY_HAND
  static int done;
  if (!done) make();
  done = 1;
#else
  pthread_once(&once, make);
#endif
  assert(made == 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&two, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
