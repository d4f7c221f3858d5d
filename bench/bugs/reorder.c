// SETTERS threads set a, then b. A checker expects to see both or neither. It fails only if some
// setter has set a while none has set b yet: all others must wait.
// FIXED: each setter has a pair of its own, and the checker starts when they have ended.
#include <assert.h>
#include <stdatomic.h>

#include "crew.h"

#ifndef SETTERS
#define SETTERS 2
#endif
#ifdef FIXED
#define PAIRS SETTERS
#else
#define PAIRS 1
#endif

static atomic_int a[PAIRS], b[PAIRS];

static void* set(void* number) {
  const long own = (long)number % PAIRS;
  a[own] = 1;
  b[own] = -1;
  return 0;
}

static void* check(void* unused) {
  for (int i = 0; i < PAIRS; ++i) assert((a[i] == 0 && b[i] == 0) || (a[i] == 1 && b[i] == -1));
  return unused;
}

int main(void) {
  start_many(SETTERS, set);
#ifdef FIXED
  join_all();
#endif
  start(check, 0);
  join_all();
}
