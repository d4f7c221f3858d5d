// Dining philosophers who take the fork of the lower number first: no deadlock. Classes: 14 and 30
// for one round of four and five, 786 and 5,730 for two, 61,340 for three rounds of four.
//
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DPHILOSOPHERS=4 -DROUNDS=1
// EXECUTIONS: 14
// RUN: --strategy=optimal-dpor
// FLAGS: -DPHILOSOPHERS=5 -DROUNDS=1
// EXECUTIONS: 30
// RUN: --strategy=optimal-dpor
// FLAGS: -DPHILOSOPHERS=4 -DROUNDS=2
// EXECUTIONS: 786
#include <pthread.h>

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 4
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

static pthread_mutex_t forks[PHILOSOPHERS];

static void* dine(void* seat) {
  int left = (int)(long)seat, right = (left + 1) % PHILOSOPHERS;
  int low = left < right ? left : right, high = left < right ? right : left;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < PHILOSOPHERS; i++) pthread_create(&threads[i], NULL, dine, (void*)i);
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_join(threads[i], NULL);
  return 0;
}
