// heddle_name and heddle_yield: a mutex in the heap is called what the program calls it.
//
// RUN: --strategy=icb
// EXPECT: fail deadlock
// TRACE: locks the warp
// TRACE: locks the weft
// RUN: --strategy=icb
// DOOR: preload
// EXPECT: fail deadlock
// TRACE: locks the warp
// RUN: --strategy=icb
// FLAGS: -DORDERED
// EXPECT: pass
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t* locks;

static void* take(void* second) {
#ifdef ORDERED
  second = 0;
#endif
  const int from = second != 0;
  pthread_mutex_lock(&locks[from]);
  heddle_yield();
  pthread_mutex_lock(&locks[1 - from]);
  pthread_mutex_unlock(&locks[1 - from]);
  pthread_mutex_unlock(&locks[from]);
  return 0;
}

int main(void) {
  locks = malloc(2 * sizeof *locks);
  heddle_name(&locks[0], "the warp");
  heddle_name(&locks[1], "the weft");
  pthread_mutex_init(&locks[0], 0);
  pthread_mutex_init(&locks[1], 0);
  pthread_t one, two;
  pthread_create(&one, 0, take, 0);
  pthread_create(&two, 0, take, &two);
  pthread_join(one, 0);
  pthread_join(two, 0);
  free(locks);
  return 0;
}
