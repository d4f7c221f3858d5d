// Whether a descriptor waits is something that another thread may change: setting its flags and
// asking for them are steps.
//
// RUN: --strategy=dfs
// FLAGS: -D_GNU_SOURCE
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE
// EXPECT: fail assertion
// RUN: --strategy=cb-por-2
// FLAGS: -D_GNU_SOURCE
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DASKS
// EXPECT: pass
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* changes(void* unused) {
#ifdef ASKS
  assert(fcntl(ends[0], F_GETFL) >= 0);
#else
  assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
#endif
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, changes, NULL);
  const int flags = fcntl(ends[0], F_GETFL);
  pthread_join(thread, NULL);
  assert((flags & O_NONBLOCK) == 0);
}
