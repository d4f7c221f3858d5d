// Two waiters, one signal: which of them it wakes is a choice of the search. Waking the second
// needs no preemption, only the other choice.
//
// RUN: --strategy=dfs
// EXPECT: fail assertion
// RUN: --strategy=icb
// EXPECT: fail assertion
// PREEMPTIONS: 0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, arrived = PTHREAD_COND_INITIALIZER;
static int order[2], waiting, woken;

static void* waiter(void* number) {
  pthread_mutex_lock(&mutex);
  order[waiting++] = (int)(intptr_t)number;
  pthread_cond_signal(&arrived);
  pthread_cond_wait(&wake, &mutex);
  // Claims that condition variables are fair.
  assert(order[woken++] == (int)(intptr_t)number);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waiter, (void*)1);
  pthread_create(&b, NULL, waiter, (void*)2);
  pthread_mutex_lock(&mutex);
  while (waiting < 2) pthread_cond_wait(&arrived, &mutex);
  pthread_cond_signal(&wake);
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
