// A ring of four places. `count` and `last` are meant to fit together whenever nobody holds the
// lock.
//
//   heddle check ring.c --properties=ring.properties
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int places[4], count, last;

bool fits(void) {
  return count >= 0 && count <= 4;
}

static void* put(void* value) {
  pthread_mutex_lock(&lock);
  int full = count == 4;
  pthread_mutex_unlock(&lock);
  if (full) return NULL;
  pthread_mutex_lock(&lock);  // somebody else may have taken the last place
  places[last] = *(int*)value;
  last = (last + 1) % 4;
  count++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  int values[] = {1, 2};
  count = last = 3;
  pthread_create(&one, NULL, put, &values[0]);
  pthread_create(&two, NULL, put, &values[1]);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
