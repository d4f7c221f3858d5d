// Every function for random numbers repeats itself from execution to execution: the number of steps
// depends on what they say.
//
// FLAGS: -D_GNU_SOURCE
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* seed) {
  srand(1);
  srandom(2);
  srand48(3);
  unsigned bits = rand() ^ random() ^ (unsigned)(drand48() * 8) ^ lrand48() ^ mrand48();
  unsigned bytes[3];
  arc4random_buf(&bytes[0], sizeof bytes[0]);
  getentropy(&bytes[1], sizeof bytes[1]);
  getrandom(&bytes[2], sizeof bytes[2], 0);
  bits ^= bytes[0] ^ bytes[1] ^ bytes[2] ^ arc4random() ^ arc4random_uniform(1000);
  for (unsigned i = 0; i <= (bits & 3); ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return seed;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&two, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
