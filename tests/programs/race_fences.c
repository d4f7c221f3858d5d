// The same with relaxed operations and fences. libtsan does not know fences.
//
// LIBTSAN: no
// RUN: --strategy=dfs
// FLAGS: -DRELEASE=1 -DACQUIRE=1
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DRELEASE=0 -DACQUIRE=1
// EXPECT: fail data-race
// RUN: --strategy=dfs
// FLAGS: -DRELEASE=1 -DACQUIRE=0
// EXPECT: fail data-race
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void* send(void* unused) {
  message = 42;
  if (RELEASE) atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, NULL, send, NULL);
  int got = 42;
  if (atomic_load_explicit(&ready, memory_order_relaxed)) {
    if (ACQUIRE) atomic_thread_fence(memory_order_acquire);
    got = message;
  }
  pthread_join(sender, NULL);
  return got != 42;
}
