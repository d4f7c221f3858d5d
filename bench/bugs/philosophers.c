// PHILOSOPHERS dine; each takes the fork on the left, then that on the right.
// FIXED: each takes the fork of the lower number first.
#include "crew.h"

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 4
#endif

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void* dine(void* number) {
  long first = (long)number, second = (first + 1) % PHILOSOPHERS;
#ifdef FIXED
  if (first > second) {
    const long larger = first;
    first = second;
    second = larger;
  }
#endif
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  ++meals[(long)number];
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return 0;
}

int main(void) {
  for (int i = 0; i < PHILOSOPHERS; ++i) pthread_mutex_init(&forks[i], 0);
  start_many(PHILOSOPHERS, dine);
  join_all();
}
