// Atomic sections exclude each other: what two of them do to the same plain memory is no data race,
// and what one has written before its section another may read after it, if it has seen the first
// one's section. Accesses outside race as ever, also with those inside.
//
// LIBTSAN: no (it does not know atomic sections)
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN:
// FLAGS: -DOUTSIDE
// EXPECT: fail data-race
// RUN: --strategy=optimal-dpor
// FLAGS: -DOTHER_SECTION
// EXPECT: fail data-race
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <string.h>

int message, unrelated;
struct {
  int ready;
  char text[12];
} box;

static void* send(void* unused) {
  message = 7;
  heddle_atomic_begin();
#ifdef OTHER_SECTION
  unrelated = 1;
#else
  memset(box.text, 'x', sizeof box.text);
  box.ready = 1;
#endif
  heddle_atomic_end();
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, NULL, send, NULL);
#ifndef OUTSIDE
  heddle_atomic_begin();
#endif
  const int ready = box.ready;
#ifndef OUTSIDE
  heddle_atomic_end();
#endif
#ifdef OTHER_SECTION
  assert(message == 0 || message == 7);
#else
  if (ready) assert(message == 7 && box.text[0] == 'x');
#endif
  pthread_join(sender, NULL);
  return ready && unrelated;
}
