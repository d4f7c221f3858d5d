// SETTERS threads update two values in two critical sections; one reader takes the first value and
// then the second, and expects them to belong together. It must come between the stages of the
// first setter and before the second stage of all others.
// FIXED: each setter has values and locks of its own, and the reader starts when they have ended.
#include <assert.h>

#include "crew.h"

#ifndef SETTERS
#define SETTERS 1
#endif
#ifdef FIXED
#define PAIRS SETTERS
#else
#define PAIRS 1
#endif

static struct {
  pthread_mutex_t first_lock, second_lock;
  int first, second;
} pairs[PAIRS];

static void* set(void* number) {
  const long own = (long)number % PAIRS;
  pthread_mutex_lock(&pairs[own].first_lock);
  const int first = 1;
  pairs[own].first = first;
  pthread_mutex_unlock(&pairs[own].first_lock);
  pthread_mutex_lock(&pairs[own].second_lock);
  pairs[own].second = first + 1;
  pthread_mutex_unlock(&pairs[own].second_lock);
  return 0;
}

static void* read_pairs(void* unused) {
  for (int i = 0; i < PAIRS; ++i) {
    pthread_mutex_lock(&pairs[i].first_lock);
    const int first = pairs[i].first;
    pthread_mutex_unlock(&pairs[i].first_lock);
    if (first == 0) return unused;
    pthread_mutex_lock(&pairs[i].second_lock);
    const int second = pairs[i].second;
    pthread_mutex_unlock(&pairs[i].second_lock);
    assert(second == first + 1);
  }
  return unused;
}

int main(void) {
  for (int i = 0; i < PAIRS; ++i) {
    pthread_mutex_init(&pairs[i].first_lock, 0);
    pthread_mutex_init(&pairs[i].second_lock, 0);
  }
  start_many(SETTERS, set);
#ifdef FIXED
  join_all();
#endif
  start(read_pairs, 0);
  join_all();
}
