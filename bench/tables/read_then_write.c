// After SCALE's smallest example (Florian 2010, appendix A.6): main adds one to a number and
// another thread doubles it, each reading and writing it under the lock, but not in one piece. Of
// the ways in which these fall, one doubles first and adds then: 2 becomes 5, which Inspect never
// saw.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int number = 2;

static int get(void) {
  pthread_mutex_lock(&lock);
  const int now = number;
  pthread_mutex_unlock(&lock);
  return now;
}

static void set(int value) {
  pthread_mutex_lock(&lock);
  number = value;
  pthread_mutex_unlock(&lock);
}

static void* doubles(void* unused) {
  set(2 * get());
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, doubles, 0);
  set(get() + 1);
  pthread_join(other, 0);
  assert(number != 5);
}
