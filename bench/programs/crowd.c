// A thousand threads, all alive at once.
#include <pthread.h>

#define THREADS 1000

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int here;

static void* arrive(void* unused) {
  pthread_mutex_lock(&guard);
  ++here;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t others[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&others[i], NULL, arrive, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(others[i], NULL);
  return here == THREADS ? 0 : 1;
}
