// A worker sleeps until there is work or the program shuts down. The flag is set without the mutex,
// just after the worker has looked at it and just before it sleeps: nobody will wake it.
//
//   ./heddle check examples/shutdown.c            the worker is never woken
//   ./heddle check examples/shutdown.c -DFIXED    correct: the flag changes under the mutex
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int stopping;

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!stopping) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void shut_down(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  stopping = 1;
  pthread_mutex_unlock(&mutex);
#else
  stopping = 1;
#endif
  pthread_cond_signal(&changed);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  shut_down();
  pthread_join(thread, NULL);
  return 0;
}
