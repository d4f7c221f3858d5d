// Waits until a moment of a clock that the caller chooses: what they wait for comes, or time is up.
//
// FLAGS: -D_GNU_SOURCE
// LIBTSAN: no (it does not know pthread_mutex_clocklock and its relatives)
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DSURE
// EXPECT: fail assertion
// RUN: --strategy=dfs --timeouts=last
// FLAGS: -DSURE
// EXPECT: pass
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int told;

static struct timespec in_a_second(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  ++time.tv_sec;
  return time;
}

#ifdef SURE
#define MAY_TIME_OUT(result) assert((result) == 0)
#else
#define MAY_TIME_OUT(result) \
  if ((result) != 0) return NULL
#endif

static void* waiter(void* unused) {
  const struct timespec until = in_a_second();
  MAY_TIME_OUT(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until));
  int result = 0;
  while (!told && result == 0)
    result = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until);
  assert(result == 0 || result == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  MAY_TIME_OUT(result);
  MAY_TIME_OUT(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until));
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&semaphore, 0, 0);
  struct timespec until = in_a_second();
  assert(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &until) == 0);
  assert(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
  pthread_rwlock_unlock(&rwlock);
  assert(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &until) == 0);
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  told = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  sem_post(&semaphore);
  until = in_a_second();
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  until = in_a_second();
  if (pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) != 0) pthread_join(thread, NULL);
}
