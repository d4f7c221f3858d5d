// A message that is passed on by a flag: the orders of the flag's store and load decide.
//
// RUN: --strategy=dfs
// FLAGS: -DSTORE=memory_order_release -DLOAD=memory_order_acquire
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DSTORE=memory_order_seq_cst -DLOAD=memory_order_seq_cst
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DSTORE=memory_order_relaxed -DLOAD=memory_order_acquire
// EXPECT: fail data-race
// MESSAGE: (message)
// RUN: --strategy=dfs
// FLAGS: -DSTORE=memory_order_release -DLOAD=memory_order_relaxed
// EXPECT: fail data-race
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void* send(void* unused) {
  message = 42;
  atomic_store_explicit(&ready, 1, STORE);
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, NULL, send, NULL);
  int got = atomic_load_explicit(&ready, LOAD) ? message : 42;
  pthread_join(sender, NULL);
  return got != 42;
}
