// A race does not end the execution: the assertion behind it is found as well.
//
// RUN: --strategy=icb --keep-going
// EXPECT: fail data-race assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int statistics, balance;

static int get(void) {
  pthread_mutex_lock(&mutex);
  int value = balance;
  pthread_mutex_unlock(&mutex);
  return value;
}

static void* deposit(void* unused) {
  statistics++;
  int before = get();
  pthread_mutex_lock(&mutex);
  balance = before + 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, deposit, NULL);
  deposit(NULL);
  pthread_join(thread, NULL);
  assert(balance == 2);
  return 0;
}
