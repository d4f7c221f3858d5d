// Cancelling a thread of C++ runs its destructors.
//
// RUN: --strategy=icb
// EXPECT: pass
#include <pthread.h>
#include <semaphore.h>

#include <cassert>

static sem_t semaphore;
static int destroyed;

struct Guard {
  ~Guard() { ++destroyed; }
};

static void wait_in_vain() {
  Guard guard;
  sem_wait(&semaphore);
}

static void* work(void* unused) {
  Guard guard;
  wait_in_vain();
  return unused;
}

int main() {
  pthread_t thread;
  void* result = nullptr;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  assert(destroyed == 2 || destroyed == 1);  // between the guards is no cancellation point
  assert(destroyed == 2);
}
