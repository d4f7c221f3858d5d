// One long execution: two threads, main among them, with the given number of visible events
// together. With YIELD each event lets the other thread go on; without, a thread runs until its
// end, locking and unlocking.
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static long events;

static void* act(void* unused) {
#ifdef YIELD
  for (long i = 0; i < events / 2; i++) sched_yield();
#else
  for (long i = 0; i < events / 4; i++) {
    pthread_mutex_lock(&guard);
    pthread_mutex_unlock(&guard);
  }
#endif
  return unused;
}

int main(int count, char** arguments) {
  events = count > 1 ? atol(arguments[1]) : 1000;
  pthread_t other;
  pthread_create(&other, NULL, act, NULL);
  act(NULL);
  pthread_join(other, NULL);
  return 0;
}
