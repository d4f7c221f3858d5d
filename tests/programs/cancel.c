// Cancellation is deferred: it takes a thread out of a wait, through its cleanup handlers, or is
// ignored while it is disabled.
//
// RUN: --strategy=dfs
// FLAGS: -DWAITING
// EXPECT: pass
// RUN: --strategy=portfolio --equivalence=reads-from
// FLAGS: -DWAITING
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DWAITING -DNO_CLEANUP
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DSEMAPHORE
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DLOOP
// EXPECT: pass
// RUN: --strategy=icb --bound=1
// FLAGS: -DLOOP -DCLAIM
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DDISABLED
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DJOINING
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DREADING
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DREADING -DINPUT -DCLAIM=1
// EXPECT: fail assertion
// RUN: --strategy=dfs
// FLAGS: -DREADING -DINPUT -DCLAIM=0
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DREADING -DPOLL
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DWAITING
// EXPECT: unsupported pthread_cancel
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static atomic_int progress;
static int ends[2];

static void unlock(void* unused) {
  (void)unused;
#ifndef NO_CLEANUP
  pthread_mutex_unlock(&mutex);
#endif
}

static void* idle(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* work(void* unused) {
#if defined WAITING
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, NULL);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
#elif defined SEMAPHORE
  sem_wait(&semaphore);
  assert(0);
#elif defined READING
#ifdef POLL
  poll(&(struct pollfd){ends[0], POLLIN, 0}, 1, -1);
#else
  char byte;
  if (read(ends[0], &byte, 1) != 1) assert(0);
#endif
  atomic_store(&progress, 1);
#elif defined LOOP
  for (int i = 0; i < 3; ++i) {
    pthread_testcancel();
    atomic_fetch_add(&progress, 1);
  }
#elif defined DISABLED
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  assert(before == PTHREAD_CANCEL_ENABLE);
  usleep(1);
  pthread_testcancel();
  atomic_store(&progress, 1);
#elif defined JOINING
  pthread_t helper;
  pthread_create(&helper, NULL, idle, NULL);
  pthread_detach(pthread_self());
  pthread_join(helper, NULL);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  sem_init(&semaphore, 0, 0);
#ifdef READING
  if (pipe(ends) != 0) return 1;
#endif
  pthread_create(&thread, NULL, work, NULL);
#ifdef INPUT
  if (write(ends[1], "x", 1) != 1) return 1;
#endif
#ifdef JOINING
  pthread_cancel(thread);
  pthread_exit(NULL);
#endif
  pthread_cancel(thread);
  pthread_join(thread, &result);
#if defined WAITING || defined SEMAPHORE
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#elif defined READING
  assert((result == PTHREAD_CANCELED) == (progress == 0));
#ifdef INPUT
  assert(progress != CLAIM);
#else
  assert(result == PTHREAD_CANCELED);
#endif
#elif defined LOOP
  if (result == NULL) assert(progress == 3);
#ifdef CLAIM
  assert(result == NULL);
#endif
#elif defined DISABLED
  assert(progress == 1 || result == PTHREAD_CANCELED);
#endif
  return 0;
}
