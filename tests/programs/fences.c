// Store buffering with fences: executed sequentially consistently, one of the two sees the other.
//
// EXPECT: pass
// RUN: --strategy=dfs
// RUN: --strategy=icb
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_by_a, seen_by_b;

static void* a(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  seen_by_a = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  return unused;
}

static void* b(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  seen_by_b = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, a, NULL);
  pthread_create(&threads[1], NULL, b, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen_by_a || seen_by_b);
  return 0;
}
