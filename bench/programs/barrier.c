// A reusable barrier, after the fourth program of SCALE (Florian 2010): THREADS threads, main among
// them, meet STEPS times; each meeting has a phase of arriving and a phase of leaving.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef STEPS
#define STEPS 2
#endif

static pthread_mutex_t guard;
static pthread_cond_t turn;
static int inside, open_for_leaving;

static void arrive(void) {
  pthread_mutex_lock(&guard);
  if (++inside == THREADS) {
    open_for_leaving = 1;
    pthread_cond_broadcast(&turn);
  } else {
    while (!open_for_leaving) pthread_cond_wait(&turn, &guard);
  }
  pthread_mutex_unlock(&guard);
}

static void leave(void) {
  pthread_mutex_lock(&guard);
  if (--inside == 0) {
    open_for_leaving = 0;
    pthread_cond_broadcast(&turn);
  } else {
    while (open_for_leaving) pthread_cond_wait(&turn, &guard);
  }
  pthread_mutex_unlock(&guard);
}

static void* walk(void* unused) {
  for (int i = 0; i < STEPS; i++) {
    arrive();
    leave();
  }
  return unused;
}

int main(void) {
  pthread_t others[THREADS - 1];
  pthread_mutex_init(&guard, NULL);
  pthread_cond_init(&turn, NULL);
  for (int i = 0; i < THREADS - 1; i++) pthread_create(&others[i], NULL, walk, NULL);
  walk(NULL);
  for (int i = 0; i < THREADS - 1; i++) pthread_join(others[i], NULL);
  pthread_mutex_destroy(&guard);
  pthread_cond_destroy(&turn);
  return 0;
}
