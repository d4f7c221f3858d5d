// Reading and writing the balance are each under the lock; the deposit as a whole is not.
//
// RUN: --strategy=icb
// EXPECT: fail assertion
// CAUSE: atomicity violation
// PREEMPTIONS: 1
// MESSAGE: balance == 2
// LOCATION: atomicity.c
// RUN: --strategy=icb --bound=0
// EXPECT: pass
// RUN: --strategy=dfs
// EXPECT: fail assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void* deposit(void* unused) {
  pthread_mutex_lock(&mutex);
  int seen = balance;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  balance = seen + 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, deposit, NULL);
  pthread_create(&b, NULL, deposit, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(balance == 2);
  return 0;
}
