// A race on a variable of a function that waits for the thread it has lent it to. Reports say whose
// variable it is.
//
// LIBTSAN: no
// EXPECT: fail data-race
// FINDINGS: 1
// RUN: --strategy=icb
// FLAGS: -O0
// MESSAGE: of variable `shared.counts[1]` of `count` (frame of thread 0)
// RUN: --strategy=icb
// FLAGS: -O1
// MESSAGE: of variable `shared.counts[1]` of `count` (frame of thread 0)
// RUN: --strategy=icb
// FLAGS: -O2
// MESSAGE: thread
// RUN: --strategy=icb
// FLAGS: -DBY_OTHERS -O0
// MESSAGE: of variable `shared.counts[1]` of `count` (frame of thread 0)
// RUN: --strategy=icb
// FLAGS: -DIN_THREAD -O1
// MESSAGE: of variable `own` of `lend` (frame of thread 1)
#include <pthread.h>
#include <sched.h>

#include <atomic>

struct Shared {
  long name;
  int counts[3];
};

static void* bump(void* argument) {
  *static_cast<int*>(argument) = 1;
  return nullptr;
}

// The variable is in use by two threads at once, one of which is not the one whose it is.
__attribute__((noinline)) static void count() {
  Shared shared{};
  pthread_t one, two;
  pthread_create(&one, nullptr, bump, &shared.counts[1]);
#ifdef BY_OTHERS
  pthread_create(&two, nullptr, bump, &shared.counts[1]);
  pthread_join(two, nullptr);
#else
  two = one;
  bump(&shared.counts[1]);
#endif
  pthread_join(one, nullptr);
}

static std::atomic<int*> lent;

__attribute__((noinline)) static void lend() {
  int own = 0;
  lent = &own;
  while (lent != nullptr) sched_yield();
  own = 1;
  if (lent != nullptr) bump(&own);
}

static void* lender(void*) {
  lend();
  return nullptr;
}

int main() {
#ifdef IN_THREAD
  pthread_t thread;
  pthread_create(&thread, nullptr, lender, nullptr);
  int* borrowed;
  while ((borrowed = lent) == nullptr) sched_yield();
  lent = nullptr;
  *borrowed = 2;
  pthread_join(thread, nullptr);
#else
  count();
#endif
}
