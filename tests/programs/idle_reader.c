// A worker that waits for input when the program ends has nothing to do: what is written to a
// descriptor stays there, so that no wake-up can be lost.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=dpor
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DPOLLS
// EXPECT: pass
// RUN: --strategy=dpor
// FLAGS: -DPOLLS
// EXPECT: pass
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void* work(void* unused) {
  char byte;
#ifdef POLLS
  struct pollfd ask = {ends[0], POLLIN, 0};
  while (poll(&ask, 1, -1) == 1 && read(ends[0], &byte, 1) == 1) continue;
#else
  while (read(ends[0], &byte, 1) == 1) continue;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends) != 0) return 0;
  pthread_create(&thread, NULL, work, NULL);
  return write(ends[1], "x", 1) != 1;
}
