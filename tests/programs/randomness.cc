// What a program cannot know is the same in every execution, and does not depend on what other
// threads draw: counts are stable, and reductions and replays find what they found before.
//
// FLAGS: -std=c++17
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: 125
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// EXECUTIONS: 1
// RUN: --strategy=icb
// FLAGS: -DFAILS
// EXPECT: fail assertion
// RUN: --strategy=dfs
// FLAGS: -DSEED_BY_PROCESS
// EXPECT: pass
// EXECUTIONS: 461
// RUN: --strategy=dfs
// DOOR: preload
// EXPECT: pass
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <random>
#include <thread>

static std::mutex mutex;
static unsigned drawn[2];

// How many times the mutex is taken depends on all sources of randomness together; if one of them
// changed from execution to execution, the program would not repeat itself.
static unsigned draw() {
  unsigned bits = 0, more = 0;
  assert(getrandom(&bits, sizeof bits, 0) == sizeof bits);
  assert(getentropy(&more, sizeof more) == 0);
  std::random_device device;
  bits ^= more ^ device() ^ arc4random() ^ arc4random_uniform(100) ^ static_cast<unsigned>(rand());
  bits ^= static_cast<unsigned>(random()) ^ static_cast<unsigned>(lrand48());
  bits ^= static_cast<unsigned>(getpid()) ^ static_cast<unsigned>(gettid());
  bits ^= static_cast<unsigned>(syscall(SYS_getpid)) ^ static_cast<unsigned>(syscall(SYS_gettid));
  assert(syscall(SYS_getrandom, &more, sizeof more, 0) == sizeof more);
  return bits ^ more;
}

static void work(int number) {
  drawn[number] = draw();
  for (unsigned i = 0; i < drawn[number] % 3; ++i) sched_yield();
  sched_yield();
}

int main() {
#ifdef SEED_BY_PROCESS
  srand(static_cast<unsigned>(getpid()) ^ static_cast<unsigned>(time(nullptr)));
#endif
  std::thread one(work, 0), two(work, 1);
  one.join();
  two.join();
  assert(drawn[0] != drawn[1]);
  assert(getpid() == gettid());
#ifdef FAILS
  assert(drawn[0] % 2 == 7);
#endif
}
