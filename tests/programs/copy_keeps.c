// A copy writes what it has read, and a comparison compares it, though the source has changed
// since.
//
// RUN: --strategy=dfs --visible=all --races=off
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --visible=all --races=off
// EXPECT: fail assertion
// RUN: --strategy=dfs --visible=all --races=off
// FLAGS: -DCOMPARE
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --visible=all --races=off
// FLAGS: -DCOMPARE
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int from, to, equal;

static void* change(void* unused) {
  from = 9;
  to = 5;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
#ifdef COMPARE
  equal = memcmp(&from, &to, sizeof to);  // 0 and then 5
#else
  memcpy(&to, &from, sizeof to);  // 0, on top of 5
#endif
  pthread_join(thread, NULL);
#ifdef COMPARE
  assert(equal >= 0);
#else
  assert(!(from == 9 && to == 0));
#endif
  return 0;
}
