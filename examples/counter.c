// Four increments of which some get lost: every access is under the lock, the increment as a whole
// is not.
//
//   ./heddle check examples/counter.c           assertion fails, with one preemption
//   ./heddle check examples/counter.c -DFIXED   correct
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int get(void) {
  pthread_mutex_lock(&mutex);
  int value = counter;
  pthread_mutex_unlock(&mutex);
  return value;
}

#if defined(FIXED) || defined(WHOLE)
static void increment(void) {
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
}
#else
static void set(int value) {
  pthread_mutex_lock(&mutex);
  counter = value;
  pthread_mutex_unlock(&mutex);
}

static void increment(void) {
  set(get() + 1);
}
#endif

static void* increment_twice(void* unused) {
  increment();
  increment();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment_twice, NULL);
  pthread_create(&b, NULL, increment_twice, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(get() == 4);
  return 0;
}
