// A block copy is a read and a write that other threads can come between, although the compilers
// leave it a plain call: with --visible=all the torn pair is found, at one preemption.
//
// RUN: --strategy=icb --visible=all --races=off
// EXPECT: fail assertion
// PREEMPTIONS: 1
//
// RUN: --strategy=dfs --races=off
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char source[64], copy[64], again[64];
static size_t length = sizeof source;

static void* change(void* unused) {
  memset(source, 1, length);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  memcpy(copy, source, length);
  memcpy(again, source, length);
  assert(memcmp(copy, again, length) == 0);
  pthread_join(thread, NULL);
  return 0;
}
