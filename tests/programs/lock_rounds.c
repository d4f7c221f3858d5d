// A loop that takes a lock in each of many rounds is followed round by round: the flag may be
// raised in any of them, also in the one that the thread cannot bear.
//
// EXPECT: fail assertion
// RUN: --strategy=dfs
// RUN: --strategy=optimal-dpor
// RUN: --strategy=portfolio
#include <assert.h>
#include <pthread.h>

enum { kRounds = 40 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void* raise_flag(void* unused) {
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t raiser;
  pthread_create(&raiser, NULL, raise_flag, NULL);
  for (int round = 0; round < kRounds; ++round) {
    pthread_mutex_lock(&mutex);
    const int raised = flag;
    pthread_mutex_unlock(&mutex);
    if (!raised) continue;
    assert(round != kRounds / 2);
    break;
  }
  pthread_join(raiser, NULL);
  return 0;
}
