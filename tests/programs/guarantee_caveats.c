// A pass says what it does not speak of.
//
// RUN: --strategy=dfs --races=off
// EXPECT: pass
// GUARANTEE: all executions, switching at synchronisation only; data races not looked for
// RUN: --strategy=optimal-dpor --races=off
// EXPECT: pass
// GUARANTEE: switching at synchronisation only; data races not looked for
// RUN: --strategy=icb
// EXPECT: fail data-race
// RUN: --strategy=icb --visible=all --races=off
// EXPECT: fail assertion
// RUN: --strategy=dfs
// FLAGS: -DCONDITION
// EXPECT: pass
// GUARANTEE: without spurious wake-ups
// RUN: --strategy=dfs --ignore=race,assertion
// EXPECT: pass
// GUARANTEE: findings of these kinds ignored: assertion, data-race
// RUN: --strategy=optimal-dpor --ignore=deadlock
// FLAGS: -DDEADLOCK
// EXPECT: fail assertion
// RUN: --strategy=optimal-dpor --ignore=deadlock,assertion
// FLAGS: -DDEADLOCK
// EXPECT: pass
// GUARANTEE: findings of these kinds ignored: deadlock, assertion
// RUN: --strategy=optimal-dpor --max-threads=3
// FLAGS: -DTHREADS=5
// EXPECT: unknown
// RUN: --strategy=optimal-dpor --max-threads=5
// FLAGS: -DTHREADS=5
// EXPECT: pass
// RUN: --strategy=dfs --max-threads=2
// FLAGS: -DTHREADS=2 -DMAYBE
// EXPECT: pass
// GUARANTEE: with at most 2 threads started in an execution
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int shared;

#if defined CONDITION
static void* run(void* unused) {
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}
#elif defined DEADLOCK
static void* run(void* unused) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&mutex);
  shared = 1;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&second);
  return unused;
}
#elif defined THREADS
static void* run(void* unused) {
  pthread_mutex_lock(&mutex);
  ++shared;
  pthread_mutex_unlock(&mutex);
  return unused;
}
#else
static void* run(void* unused) {
  ++shared;
  return unused;
}
#endif

int main(void) {
  pthread_t thread;
#ifdef THREADS
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, run, NULL);
#ifdef MAYBE
  pthread_mutex_lock(&mutex);
  const int late = shared == 0;
  pthread_mutex_unlock(&mutex);
  if (late) {
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
  }
#endif
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  (void)thread, (void)second, (void)condition;
#else
  pthread_create(&thread, NULL, run, NULL);
#if defined CONDITION
  pthread_mutex_lock(&mutex);
  while (shared == 0) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
#elif defined DEADLOCK
  pthread_mutex_lock(&mutex);
  assert(shared == 0);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&mutex);
#else
  ++shared;
#endif
  pthread_join(thread, NULL);
#if !defined CONDITION && !defined DEADLOCK
  assert(shared == 2);
#endif
#endif
}
