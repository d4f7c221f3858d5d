// After SCALE's producer and consumer (Florian 2010, appendix A.5): the consumer, who is the main
// thread, claims that nothing has been produced when it comes. Not so if the new thread runs first,
// which two other checkers never tried.
#include <assert.h>
#include <pthread.h>

enum { kRoom = 2, kItems = 1 };

// A semaphore of a mutex and a condition.
struct credit {
  pthread_mutex_t lock;
  pthread_cond_t more;
  int count;
};

static struct credit items = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static struct credit room = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, kRoom};
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int ring[kRoom], filled;

static void spend(struct credit* credit) {
  pthread_mutex_lock(&credit->lock);
  while (credit->count == 0) pthread_cond_wait(&credit->more, &credit->lock);
  --credit->count;
  pthread_mutex_unlock(&credit->lock);
}

static void earn(struct credit* credit) {
  pthread_mutex_lock(&credit->lock);
  ++credit->count;
  pthread_cond_signal(&credit->more);
  pthread_mutex_unlock(&credit->lock);
}

static int amount(void) {
  pthread_mutex_lock(&guard);
  const int now = filled;
  pthread_mutex_unlock(&guard);
  return now;
}

static void* produce(void* unused) {
  for (int i = 0; i < kItems; ++i) {
    spend(&room);
    pthread_mutex_lock(&guard);
    ring[i % kRoom] = i;
    ++filled;
    pthread_mutex_unlock(&guard);
    earn(&items);
  }
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  assert(amount() == 0);
  for (int i = 0; i < kItems; ++i) {
    spend(&items);
    pthread_mutex_lock(&guard);
    const int got = ring[i % kRoom];
    --filled;
    pthread_mutex_unlock(&guard);
    assert(got == i);
    earn(&room);
  }
  pthread_join(producer, 0);
}
