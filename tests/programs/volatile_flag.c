// Volatile variables: what waits for one waits, and is no livelock. To the language it is a race.
//
// RUN: --strategy=portfolio
// EXPECT: fail data-race
// MESSAGE: volatile
// RUN: --strategy=portfolio --races=off
// EXPECT: pass
// RUN: --strategy=dfs --races=off
// EXPECT: pass
// RUN: --strategy=portfolio --volatile=relaxed
// EXPECT: fail data-race
// RUN: --strategy=portfolio --volatile=relaxed
// FLAGS: -DNO_DATA
// EXPECT: pass
// RUN: --strategy=optimal-dpor --volatile=relaxed
// FLAGS: -DNO_DATA
// EXPECT: pass
// RUN: --strategy=portfolio --volatile=relaxed
// FLAGS: -DNO_DATA -DNOBODY
// EXPECT: fail livelock
#include <pthread.h>

static volatile int ready;
static int data;

static void* tell(void* unused) {
#ifndef NO_DATA
  data = 1;  // a relaxed store does not publish it
#endif
#ifndef NOBODY
  ready = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, tell, NULL);
  while (!ready) continue;
#ifndef NO_DATA
  if (data != 1) return 1;
#endif
  pthread_join(thread, NULL);
  return 0;
}
