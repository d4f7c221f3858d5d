// Daisy's allocation bits: each of two threads takes three blocks, whose bits share a byte. One
// lock for the byte is right, one for each block (-DRACE) is not.
#include <assert.h>
#include <pthread.h>

enum { kOperations = 3, kBlocks = 2 * kOperations };

static unsigned char bits;
static pthread_mutex_t locks[kBlocks] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void take(int block) {
#ifdef RACE
  pthread_mutex_t* lock = &locks[block];
#else
  pthread_mutex_t* lock = &locks[0];
#endif
  pthread_mutex_lock(lock);
  const unsigned char before = bits;
  bits = before | 1u << block;
  pthread_mutex_unlock(lock);
}

static void* even(void* unused) {
  for (int i = 0; i < kOperations; ++i) take(2 * i);
  return unused;
}

static void* odd(void* unused) {
  for (int i = 0; i < kOperations; ++i) take(2 * i + 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, even, 0);
  pthread_create(&b, 0, odd, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(bits == (1u << kBlocks) - 1);
}
