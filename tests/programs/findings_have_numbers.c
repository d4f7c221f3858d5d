// Several bugs of one kind in one execution are several findings, also where their words are the
// same; one bug that two threads have is one.
//
// RUN: --keep-going --strategy=optimal-dpor
// EXPECT: fail assertion
// FINDINGS: 2
// RUN: --keep-going --strategy=portfolio
// EXPECT: fail assertion
// FINDINGS: 2
// RUN: --keep-going --strategy=optimal-dpor
// FLAGS: -DSAME_WORDS
// EXPECT: fail assertion
// FINDINGS: 2
// RUN: --keep-going --strategy=optimal-dpor
// FLAGS: -DSAME_CODE
// EXPECT: fail assertion
// FINDINGS: 1
// RUN: --keep-going --strategy=optimal-dpor
// FLAGS: -DCRASHES
// EXPECT: fail crash
// FINDINGS: 2
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#if defined(CRASHES)
static void* first(void* p) {
  return *(void* volatile*)NULL = p;
}
static void* second(void* p) {
  return *(void* volatile*)8 = p;
}
#elif defined(SAME_WORDS)
static void fails(void) {
  assert(!"both");
}
static void* first(void* p) {
  return fails(), p;
}
static void* second(void* p) {
  return assert(!"both"), p;
}
#else
static void* first(void* p) {
  return assert(!"first"), p;
}
static void* second(void* p) {
  return assert(!"second"), p;
}
#endif

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, first, NULL);
#if defined(SAME_CODE)
  pthread_create(&u, NULL, first, NULL);
  (void)second;
#else
  pthread_create(&u, NULL, second, NULL);
#endif
  pthread_join(t, NULL);
  pthread_join(u, NULL);
}
