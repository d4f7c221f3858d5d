// A ring buffer for one producer and one consumer, without locks. The producer says that a place is
// filled before it fills it.
//
//   ./heddle check examples/ring_buffer.c            data race
//   ./heddle check examples/ring_buffer.c -DFIXED    correct: the place is filled first
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { kPlaces = 2 };
static int places[kPlaces];
static atomic_uint produced, consumed;

static bool push(int value) {
  const unsigned at = atomic_load(&produced);
  if (at - atomic_load(&consumed) == kPlaces) return false;
#ifdef FIXED
  places[at % kPlaces] = value;
  atomic_store(&produced, at + 1);
#else
  atomic_store(&produced, at + 1);
  places[at % kPlaces] = value;
#endif
  return true;
}

static bool pop(int* value) {
  const unsigned at = atomic_load(&consumed);
  if (at == atomic_load(&produced)) return false;
  *value = places[at % kPlaces];
  atomic_store(&consumed, at + 1);
  return true;
}

static void* consumer(void* unused) {
  int value = 0;
  if (pop(&value)) assert(value == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, consumer, NULL);
  push(1);
  push(2);
  pthread_join(thread, NULL);
  return 0;
}
