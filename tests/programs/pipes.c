// Pipes between threads: whoever reads an empty one waits, whoever writes to a full one too, and
// the end of the writer is seen.
//
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNOBODY_WRITES
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOBODY_WRITES
// EXPECT: fail deadlock
// RUN: --strategy=dfs
// FLAGS: -DTWO_WRITERS
// EXPECT: fail assertion
// RUN: --strategy=source-dpor
// FLAGS: -DTWO_WRITERS
// EXPECT: fail assertion
// RUN: --strategy=icb --bound=1
// FLAGS: -DLARGE
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DSOCKETS
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DSOCKETS
// DOOR: preload
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static int shared;  // handed over by what is written: no race

#ifdef LARGE
enum { kBytes = 100000 };
#else
enum { kBytes = 4 };
#endif

static void* writer(void* what) {
  static char buffer[2][kBytes];
  char* mine = buffer[what != 0];
  memset(mine, what != 0 ? 'b' : 'a', kBytes);
#ifndef TWO_WRITERS
  shared = 42;
#endif
  ssize_t written = write(ends[1], mine, kBytes);
  assert(written == kBytes);
#ifndef TWO_WRITERS
  close(ends[1]);
#endif
  return 0;
}

int main(void) {
#ifdef SOCKETS
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#else
  assert(pipe(ends) == 0);
#endif
  pthread_t one;
#ifdef NOBODY_WRITES
  char byte;
  read(ends[0], &byte, 1);
#else
  pthread_create(&one, 0, writer, 0);
  char got[kBytes];
  int bytes = 0;
#ifdef TWO_WRITERS
  pthread_t two;
  pthread_create(&two, 0, writer, &two);
  bytes = (int)read(ends[0], got, kBytes);
  assert(got[0] == 'a');  // whoever comes first
  pthread_join(two, 0);
#else
  for (ssize_t part; (part = read(ends[0], got + bytes % kBytes, kBytes)) > 0;) bytes += (int)part;
  assert(shared == 42);
#endif
  pthread_join(one, 0);
  assert(bytes == kBytes && got[0] == 'a');
#endif
  return 0;
}
