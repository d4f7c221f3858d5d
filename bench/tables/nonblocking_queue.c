// A non-blocking queue for one producer and one consumer, after the algorithm that SCALE was tried
// on (Florian 2010, section 6.1): a circular array of N slots, each a value and a count of its
// changes, and two ever-growing positions. Who finds a slot in the wrong state believes that
// another thread is half-way through the same operation, and helps by moving the position on. The
// consumer may find a slot empty, be overtaken by the producer, and help past an element that is
// there. Waiting is busy. Changes of a slot or a position are made in one critical section each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

struct slot {
  atomic_int value;  // 0: empty
  atomic_int changes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot slots[N];
static atomic_int front, rear;

static int change_slot(struct slot* slot, int value, int changes, int new_value) {
  pthread_mutex_lock(&lock);
  const int same = slot->value == value && slot->changes == changes;
  if (same) {
    slot->value = new_value;
    slot->changes = changes + 1;
  }
  pthread_mutex_unlock(&lock);
  return same;
}

static void advance(atomic_int* position, int from) {
  pthread_mutex_lock(&lock);
  if (*position == from) *position = from + 1;
  pthread_mutex_unlock(&lock);
}

static void enqueue(int value) {
  for (;;) {
    const int at = rear;
    struct slot* slot = &slots[at % N];
    const int found = slot->value, changes = slot->changes;
    if (at != rear || at == front + N) continue;
    const int done = found == 0 && change_slot(slot, 0, changes, value);
    if (found != 0 || done) advance(&rear, at);
    if (done) return;
  }
}

static int dequeue(void) {
  for (;;) {
    const int at = front;
    struct slot* slot = &slots[at % N];
    const int found = slot->value, changes = slot->changes;
    if (at != front || at == rear) continue;
    const int done = found != 0 && change_slot(slot, found, changes, 0);
    if (found == 0 || done) advance(&front, at);
    if (done) return found;
  }
}

static void* produce(void* unused) {
  for (int i = 1; i <= N; ++i) enqueue(i);
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  for (int i = 1; i <= N; ++i) {
    const int got = dequeue();
#ifndef COUNT_STATES
    assert(got == i);
#endif
    (void)got;
  }
  pthread_join(producer, 0);
}
