// Every operation of synchronisation on an object that is not there any more: in a freed block, or
// on the stack of a thread that has ended.
//
// RUN: --strategy=dfs --keep-going
// FLAGS: -O0
// EXPECT: fail use-after-free
// EXECUTIONS: 41
// FINDINGS: 41
//
// RUN: --strategy=dfs --keep-going
// FLAGS: -O0 -DON_STACK
// EXPECT: fail stack-use-after-end
// EXECUTIONS: 41
// FINDINGS: 41
//
// RUN: --strategy=dfs --keep-going --races=off
// FLAGS: -DALIVE
// EXPECT: pass
// EXECUTIONS: 41
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

struct Objects {
  pthread_mutex_t mutex;
  pthread_mutex_t free_mutex;
  pthread_cond_t condition;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
  sem_t semaphore;
  pthread_barrier_t barrier;
  pthread_once_t once, done;
  mtx_t c11_mutex;
  cnd_t c11_condition;
  once_flag flag;
};

static struct Objects* objects;

static void nothing(void) {}
static void nothing_either(void) {}

static void prepare(struct Objects* o) {
  pthread_mutex_init(&o->mutex, NULL);
  pthread_mutex_init(&o->free_mutex, NULL);
  pthread_cond_init(&o->condition, NULL);
  pthread_rwlock_init(&o->rwlock, NULL);
  pthread_spin_init(&o->spin, 0);
  sem_init(&o->semaphore, 0, 1);
  pthread_barrier_init(&o->barrier, NULL, 1);
  o->once = o->done = PTHREAD_ONCE_INIT;
  pthread_once(&o->done, nothing);
  mtx_init(&o->c11_mutex, mtx_timed);
  cnd_init(&o->c11_condition);
  o->flag = (once_flag)ONCE_FLAG_INIT;
}

static void* on_stack(void* argument) {
  struct Objects local;
  prepare(&local);
  objects = &local;
  return argument;
}

static void make(void) {
#ifdef ON_STACK
  pthread_t thread;
  pthread_create(&thread, NULL, on_stack, NULL);
  pthread_join(thread, NULL);
#else
  (void)on_stack;
  objects = malloc(sizeof *objects);
  prepare(objects);
#ifndef ALIVE
  free(objects);
#endif
#endif
}

int main(void) {
  make();
  struct Objects* o = objects;
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  int value;
  switch (heddle_choose(41)) {
    case 0:
      pthread_mutex_lock(&o->mutex);
      break;
    case 1:
      pthread_mutex_trylock(&o->mutex);
      break;
    case 2:
      pthread_mutex_timedlock(&o->mutex, &soon);
      break;
    case 3:
      pthread_mutex_clocklock(&o->mutex, CLOCK_REALTIME, &soon);
      break;
    case 4:
      pthread_mutex_destroy(&o->mutex);
      break;
    case 5:
      pthread_mutex_init(&o->mutex, NULL);
      break;
    case 6:
      pthread_cond_signal(&o->condition);
      break;
    case 7:
      pthread_cond_broadcast(&o->condition);
      break;
    case 8:
      pthread_cond_destroy(&o->condition);
      break;
    case 9:
      pthread_cond_init(&o->condition, NULL);
      break;
    case 10:
      pthread_rwlock_rdlock(&o->rwlock);
      break;
    case 11:
      pthread_rwlock_tryrdlock(&o->rwlock);
      break;
    case 12:
      pthread_rwlock_timedrdlock(&o->rwlock, &soon);
      break;
    case 13:
      pthread_rwlock_wrlock(&o->rwlock);
      break;
    case 14:
      pthread_rwlock_trywrlock(&o->rwlock);
      break;
    case 15:
      pthread_rwlock_timedwrlock(&o->rwlock, &soon);
      break;
    case 16:
      pthread_rwlock_destroy(&o->rwlock);
      break;
    case 17:
      pthread_rwlock_init(&o->rwlock, NULL);
      break;
    case 18:
      pthread_spin_lock(&o->spin);
      break;
    case 19:
      pthread_spin_trylock(&o->spin);
      break;
    case 20:
      pthread_spin_destroy(&o->spin);
      break;
    case 21:
      pthread_spin_init(&o->spin, 0);
      break;
    case 22:
      sem_wait(&o->semaphore);
      break;
    case 23:
      sem_trywait(&o->semaphore);
      break;
    case 24:
      sem_timedwait(&o->semaphore, &soon);
      break;
    case 25:
      sem_post(&o->semaphore);
      break;
    case 26:
      sem_getvalue(&o->semaphore, &value);
      break;
    case 27:
      sem_destroy(&o->semaphore);
      break;
    case 28:
      sem_init(&o->semaphore, 0, 0);
      break;
    case 29:
      pthread_barrier_wait(&o->barrier);
      break;
    case 30:
      pthread_barrier_destroy(&o->barrier);
      break;
    case 31:
      pthread_barrier_init(&o->barrier, NULL, 1);
      break;
    case 32:
      pthread_once(&o->once, nothing);
      break;
    case 33:
      pthread_once(&o->done, nothing_either);
      break;
    case 34:
      mtx_lock(&o->c11_mutex);
      break;
    case 35:
      mtx_trylock(&o->c11_mutex);
      break;
    case 36:
      mtx_init(&o->c11_mutex, mtx_plain);
      break;
    case 37:
      cnd_signal(&o->c11_condition);
      break;
    case 38:
      cnd_broadcast(&o->c11_condition);
      break;
    case 39:
      cnd_init(&o->c11_condition);
      break;
    case 40:
      call_once(&o->flag, nothing);
      break;
  }
#ifdef ALIVE
  free(objects);
#endif
  return 0;
}
