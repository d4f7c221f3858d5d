// Four philosophers who take their two forks in the same order, so many times each.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { kSeats = 4 };
static pthread_mutex_t forks[kSeats];
static int rounds;

static void* philosopher(void* seat) {
  const intptr_t left = (intptr_t)seat, right = (left + 1) % kSeats;
  pthread_mutex_t* const first = &forks[left < right ? left : right];
  pthread_mutex_t* const second = &forks[left < right ? right : left];
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kSeats];
  rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < kSeats; ++i) pthread_mutex_init(&forks[i], NULL);
  for (intptr_t i = 0; i < kSeats; ++i) pthread_create(&threads[i], NULL, philosopher, (void*)i);
  for (int i = 0; i < kSeats; ++i) pthread_join(threads[i], NULL);
  return 0;
}
