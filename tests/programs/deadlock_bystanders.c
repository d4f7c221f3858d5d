// Two locks in two orders, and a third thread that may be blocked behind them or be through before:
// one bug, whoever is caught. With a second pair of locks there are two; with three threads of the
// same code any two of them may make it, and it is one again.
//
// RUN: --keep-going --strategy=portfolio
// EXPECT: fail deadlock
// FINDINGS: 1
// CAUSE: lock-order inversion
// RUN: --keep-going --strategy=icb --bound=1
// EXPECT: fail deadlock
// FINDINGS: 1
// RUN: --keep-going --strategy=optimal-dpor
// EXPECT: fail deadlock
// FINDINGS: 1
// RUN: --keep-going --strategy=portfolio
// FLAGS: -DSAME_CODE
// EXPECT: fail deadlock
// FINDINGS: 1
// RUN: --keep-going --strategy=portfolio
// FLAGS: -DTWO_PAIRS
// EXPECT: fail deadlock
// FINDINGS: 2
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
  pthread_mutex_t *first, *second;
} Order;

static void* both(void* argument) {
  Order* order = argument;
  pthread_mutex_lock(order->first);
  if (order->second != NULL) {
    pthread_mutex_lock(order->second);
    pthread_mutex_unlock(order->second);
  }
  pthread_mutex_unlock(order->first);
  return NULL;
}

int main(void) {
#if defined(SAME_CODE)
  Order orders[] = {{&a, &b}, {&b, &a}, {&b, &a}};
#elif defined(TWO_PAIRS)
  Order orders[] = {{&a, &b}, {&b, &a}};
  Order others[] = {{&c, &d}, {&d, &c}};
#else
  Order orders[] = {{&a, &b}, {&b, &a}, {&a, NULL}};
  (void)c, (void)d;
#endif
  enum { COUNT = sizeof orders / sizeof orders[0] };
  pthread_t threads[COUNT];
  for (int i = 0; i < COUNT; ++i) pthread_create(&threads[i], NULL, both, &orders[i]);
  for (int i = 0; i < COUNT; ++i) pthread_join(threads[i], NULL);
#ifdef TWO_PAIRS
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, both, &others[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
#endif
}
