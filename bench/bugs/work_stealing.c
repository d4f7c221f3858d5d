// A work-stealing queue in the manner of Cilk: the owner pushes and pops at the tail, without the
// lock unless it may meet a thief at the last element; thieves steal at the head, under the lock.
// BUG selects one of three mistakes:
//   1  a thief looks at the tail before it has moved the head
//   2  a thief that finds nothing puts the head back after it has given up the lock
//   3  an owner that finds nothing puts the tail where it sees the head, without the lock
// FIXED: none of them.
#include <assert.h>
#include <stdatomic.h>

#include "crew.h"

#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
#ifndef STEALS
#define STEALS 2
#endif
#ifdef FIXED
#define BUG 0
#elif !defined(BUG)
#define BUG 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail;
static atomic_int elements[2 * ITEMS + 1];
static int taken[2 * ITEMS + 1];

static void push(int element) {
  const int at = tail;
  elements[at] = element;
  tail = at + 1;
}

static int pop(void) {
  const int at = tail - 1;
  tail = at;
  if (head <= at) return elements[at];
  pthread_mutex_lock(&lock);
  const int found = head <= at;
#if BUG != 3
  if (!found) tail = at + 1;
#endif
  pthread_mutex_unlock(&lock);
#if BUG == 3
  if (!found) tail = head;
#endif
  return found ? elements[at] : 0;
}

static int steal(void) {
  pthread_mutex_lock(&lock);
  const int at = head;
#if BUG == 1
  const int found = at < tail;
  head = at + 1;
#else
  head = at + 1;
  const int found = at < tail;
#endif
  const int element = found ? elements[at] : 0;
#if BUG == 2
  pthread_mutex_unlock(&lock);
  if (!found) head = at;
#else
  if (!found) head = at;
  pthread_mutex_unlock(&lock);
#endif
  return element;
}

static void take(int element) {
  if (element != 0) assert(++taken[element] == 1);
}

static void* thief(void* unused) {
  for (int i = 0; i < STEALS; ++i) take(steal());
  return unused;
}

static void* owner(void* unused) {
  take(pop());
  push(ITEMS + 1);
  take(pop());
  take(pop());
  return unused;
}

int main(void) {
  for (int i = 1; i <= ITEMS; ++i) push(i);
  start(owner, 0);
  start_many(THIEVES, thief);
  join_all();
  for (int element = pop(); element != 0; element = pop()) take(element);
  for (int i = 1; i <= ITEMS + 1; ++i) assert(taken[i] == 1);
}
