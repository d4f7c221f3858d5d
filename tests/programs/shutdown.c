// One end of a socket pair is shut down: the thread at the other sees the end.
//
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// EXPECT: pass
// RUN: --strategy=portfolio
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DSTAYS_OPEN
// EXPECT: fail deadlock
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void* answer(void* unused) {
  char bytes[8];
  ssize_t got;
  while ((got = recv(ends[1], bytes, sizeof bytes, 0)) > 0) send(ends[1], bytes, (size_t)got, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  char bytes[8];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_create(&thread, NULL, answer, NULL);
  for (int i = 0; i < 2; ++i) {
    assert(send(ends[0], "hi", 2, 0) == 2);
    assert(recv(ends[0], bytes, sizeof bytes, 0) == 2);
  }
#ifndef STAYS_OPEN
  assert(shutdown(ends[0], SHUT_WR) == 0);
#endif
  pthread_join(thread, NULL);
  return close(ends[0]) + close(ends[1]);
}
