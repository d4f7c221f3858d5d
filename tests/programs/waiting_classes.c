// How many classes of executions there are where threads wait for what several can have: patterns
// of failed attempts are none. Four threads go through a semaphore in 24 orders. Each of four
// readers comes before the writer or after it. Of five threads at a barrier one is the last. Of
// four at a pthread_once one is the first. A thread that waits for a mutex for a time gets it or
// does not.
//
// RUN: --strategy=optimal-dpor
// ARGUMENTS: semaphore
// EXPECT: pass
// EXECUTIONS: 24
// RUN: --strategy=source-dpor
// ARGUMENTS: semaphore
// EXPECT: pass
// EXECUTIONS: 24
// RUN: --strategy=optimal-dpor
// ARGUMENTS: rwlock
// EXPECT: pass
// EXECUTIONS: 16
// RUN: --strategy=optimal-dpor
// ARGUMENTS: barrier
// EXPECT: pass
// EXECUTIONS: 5
// RUN: --strategy=optimal-dpor
// ARGUMENTS: once
// EXPECT: pass
// EXECUTIONS: 4
// RUN: --strategy=optimal-dpor --timeouts=last --keep-going
// ARGUMENTS: timed
// EXPECT: fail exit-status
// EXECUTIONS: 2
// RUN: --strategy=dfs --timeouts=last
// ARGUMENTS: timed
// EXPECT: fail exit-status
// RUN: --timeouts=last --strategy=portfolio
// ARGUMENTS: timed
// EXPECT: fail exit-status
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int in_vain;

static void* through_semaphore(void* unused) {
  sem_wait(&semaphore);
  sem_post(&semaphore);
  return unused;
}

static void* read_under_lock(void* unused) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* write_under_lock(void* unused) {
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void* arrive(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

static void nothing(void) {}

static void* initialise(void* unused) {
  pthread_once(&once, nothing);
  return unused;
}

static void* wait_for_a_time(void* unused) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  ++time.tv_sec;
  if (pthread_mutex_timedlock(&mutex, &time) != 0)
    in_vain = 1;
  else
    pthread_mutex_unlock(&mutex);
  return unused;
}

static void run(int number, void* (*first)(void*), void* (*others)(void*)) {
  pthread_t threads[5];
  for (int i = 0; i < number; ++i) pthread_create(&threads[i], NULL, i == 0 ? first : others, NULL);
  for (int i = 0; i < number; ++i) pthread_join(threads[i], NULL);
}

int main(int count, char** arguments) {
  const char* what = count > 1 ? arguments[1] : "";
  if (strcmp(what, "semaphore") == 0) {
    sem_init(&semaphore, 0, 1);
    run(4, through_semaphore, through_semaphore);
  } else if (strcmp(what, "rwlock") == 0) {
    run(5, write_under_lock, read_under_lock);
  } else if (strcmp(what, "barrier") == 0) {
    pthread_barrier_init(&barrier, NULL, 5);
    run(5, arrive, arrive);
  } else if (strcmp(what, "once") == 0) {
    run(4, initialise, initialise);
  } else if (strcmp(what, "timed") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_a_time, NULL);
    pthread_mutex_lock(&mutex);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
    return in_vain;
  }
  return 0;
}
