// Two transfers in opposite directions, each locking the account it takes from first.
//
//   ./heddle check examples/bank.c              deadlock
//   ./heddle check examples/bank.c -DFIXED      correct: accounts are locked by number
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

typedef struct {
  int number;
  long balance;
  pthread_mutex_t mutex;
} Account;

typedef struct {
  Account *from, *to;
  long amount;
} Transfer;

static Account savings = {1, 100, PTHREAD_MUTEX_INITIALIZER};
static Account current = {2, 100, PTHREAD_MUTEX_INITIALIZER};

static void* transfer(void* argument) {
  const Transfer* order = argument;
  Account *first = order->from, *second = order->to;
#if defined(FIXED) || defined(ORDERED)
  if (first->number > second->number) first = order->to, second = order->from;
#endif
  pthread_mutex_lock(&first->mutex);
  pthread_mutex_lock(&second->mutex);
  order->from->balance -= order->amount;
  order->to->balance += order->amount;
  printf("%ld from account %d to %d\n", order->amount, order->from->number, order->to->number);
  pthread_mutex_unlock(&second->mutex);
  pthread_mutex_unlock(&first->mutex);
  return NULL;
}

int main(void) {
  Transfer rent = {&savings, &current, 30}, refund = {&current, &savings, 20};
  pthread_t a, b;
  pthread_create(&a, NULL, transfer, &rent);
  pthread_create(&b, NULL, transfer, &refund);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(savings.balance + current.balance == 200);
  return 0;
}
