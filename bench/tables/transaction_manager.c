// Transactions in a table that a timer flushes. A client creates a transaction and commits it in
// two steps; the timer aborts what is still pending; a reader takes references while the table is
// being closed. BUG selects one of three mistakes, which need 2, 2 and 3 preemptions:
//   1  the timer decides by a state it looked at before it took the lock, and spares only what is
//      already committed: it aborts a transaction that is being committed
//   2  closing assumes that nobody takes a reference once the table says that it is closing, though
//      whoever asked before may take one after
//   3  the same, and the reader notices: it uses what was released
// BUG=0: none of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

enum state { kPending, kPrepared, kCommitted, kAborted };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int state = kPending;
static int commits, aborts;

static void* commit(void* unused) {
  pthread_mutex_lock(&lock);
  const int mine = state == kPending;
  if (mine) state = kPrepared;
  pthread_mutex_unlock(&lock);
  if (!mine) return unused;
  pthread_mutex_lock(&lock);
  state = kCommitted;
  ++commits;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* flush(void* unused) {
  if (state != kPending) return unused;
  pthread_mutex_lock(&lock);
#if BUG == 1
  const int stale = state != kCommitted;
#else
  const int stale = state == kPending;
#endif
  if (stale) {
    state = kAborted;
    ++aborts;
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int closing;
static atomic_int references, released;

// BUG 2 keeps its reference; it is handed on to somebody else.
static void* use(void* unused) {
  if (closing) return unused;
  pthread_mutex_lock(&table_lock);
  const int refused = BUG >= 2 ? released : closing;
  if (!refused) ++references;
  pthread_mutex_unlock(&table_lock);
  if (refused || BUG == 2) return unused;
  assert(!released);
  pthread_mutex_lock(&table_lock);
  --references;
  pthread_mutex_unlock(&table_lock);
  return unused;
}

static void* close_table(void* unused) {
  pthread_mutex_lock(&table_lock);
  closing = 1;
  const int known = references;
  pthread_mutex_unlock(&table_lock);
  pthread_mutex_lock(&table_lock);
  if (BUG == 2) assert(references <= known);
  if (known == 0) released = 1;
  pthread_mutex_unlock(&table_lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
#if BUG == 1 || BUG == 0
  pthread_create(&a, 0, flush, 0);
  pthread_create(&b, 0, commit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(commits + aborts == 1);
#endif
#if BUG != 1
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, close_table, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#endif
}
