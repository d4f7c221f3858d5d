// The given number of plain writes to shared memory by one thread, while another exists.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int table[1024];  // not static: nobody reads it, and the writes would be optimised away

static void* wait_for_main(void* unused) {
  pthread_mutex_lock(&guard);
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(int count, char** arguments) {
  long accesses = count > 1 ? atol(arguments[1]) : 1000;
  pthread_t other;
  pthread_mutex_lock(&guard);
  pthread_create(&other, NULL, wait_for_main, NULL);
  for (long i = 0; i < accesses; i++) table[i & 1023] = (int)i;
  pthread_mutex_unlock(&guard);
  pthread_join(other, NULL);
  return 0;
}
