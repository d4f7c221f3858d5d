// Semaphores count: a consumer never gets more than was posted.
//
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: model
// MODEL: main = create p; create c; join p; join c
// MODEL: p = post s; post s
// MODEL: c = take s; take s
// RUN: --strategy=dfs
// FLAGS: -DNAMED
// EXPECT: pass
// EXECUTIONS: model
// MODEL: main = create p; create c; join p; join c
// MODEL: p = step; post s; post s
// MODEL: c = step; take s; take s
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DTRY
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DTRY
// EXPECT: fail assertion
// PREEMPTIONS: 0
// RUN: --strategy=icb
// FLAGS: -DONE_POST
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DONE_POST
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DDESTROY_AWAITED
// EXPECT: fail semaphore-misuse
// MESSAGE: thread 0 destroys a semaphore that thread 2 waits for
// RUN: --strategy=optimal-dpor
// FLAGS: -DDESTROY_AWAITED
// EXPECT: fail semaphore-misuse
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t unnamed;
static int items[2];

static sem_t* semaphore(void) {
#ifdef NAMED
  return sem_open("/items", O_CREAT, 0600, 0);
#else
  return &unnamed;
#endif
}

static void* producer(void* unused) {
  sem_t* s = semaphore();
  items[0] = 1;
  sem_post(s);
#ifndef ONE_POST
  items[1] = 1;
  sem_post(s);
#endif
  return unused;
}

static void* consumer(void* unused) {
  sem_t* s = semaphore();
#ifdef TRY
  int error = sem_trywait(s);
  assert(error == 0 || errno == EAGAIN);
  assert(error == 0);  // wrong
#else
  sem_wait(s);
#endif
  assert(items[0] == 1);
  sem_wait(s);
  assert(items[1] == 1);
  return unused;
}

int main(void) {
  pthread_t p, c;
  int value = 7;
  sem_init(&unnamed, 0, SEM_VALUE_MAX);
  assert(sem_post(&unnamed) == -1 && errno == EOVERFLOW);
  sem_init(&unnamed, 0, 0);
  assert(sem_getvalue(&unnamed, &value) == 0 && value == 0);
#ifdef NAMED
  assert(sem_open("/items", 0) == SEM_FAILED && errno == ENOENT);
  assert(sem_open("/a/b", O_CREAT, 0600, 0) == SEM_FAILED && errno == EINVAL);
  sem_t* first = sem_open("/items", O_CREAT | O_EXCL, 0600, 0);
  assert(first != SEM_FAILED && sem_open("items", 0) == first);
  assert(sem_open("/items", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
#endif
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
#ifdef DESTROY_AWAITED
  sem_destroy(&unnamed);
#endif
  pthread_join(p, NULL);
  pthread_join(c, NULL);
#ifdef NAMED
  assert(sem_close(first) == 0 && sem_unlink("/items") == 0);
  assert(sem_unlink("/items") == -1 && errno == ENOENT);
#endif
  return 0;
}
