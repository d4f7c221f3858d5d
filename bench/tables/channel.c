// A message channel with workers, after figure 3 of the paper on iterative context bounding: close
// waits until each worker has said that it stopped, and the owner deletes the channel then. But a
// worker that has said so still has to leave a critical section that lies in the channel.
// BUG=1: that mistake, which needs 1 preemption. BUG=0: a worker says so last.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef BUG
#define BUG 0
#endif

enum { kAlive = 0xa11ce, kDeleted = 0xdead };

struct channel {
  volatile int state;    // volatile: the last change must not be optimised away
  pthread_mutex_t lock;  // of stopping
  pthread_cond_t changed;
  int stopping;
  pthread_mutex_t base;  // of the application's alerts
  int alerts;
};

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_stopped = PTHREAD_COND_INITIALIZER;
static int stopped;

static void say_stopped(void) {
  pthread_mutex_lock(&count_lock);
  if (++stopped == WORKERS) pthread_cond_signal(&all_stopped);
  pthread_mutex_unlock(&count_lock);
}

static void alert_application(struct channel* channel) {
  pthread_mutex_lock(&channel->base);
  assert(channel->state == kAlive);
  ++channel->alerts;
  pthread_mutex_unlock(&channel->base);
}

static void* work(void* argument) {
  struct channel* channel = argument;
  pthread_mutex_lock(&channel->lock);
  while (!channel->stopping) pthread_cond_wait(&channel->changed, &channel->lock);
  pthread_mutex_unlock(&channel->lock);
#if BUG == 1
  say_stopped();
  alert_application(channel);
#else
  alert_application(channel);
  say_stopped();
#endif
  return 0;
}

static void close_channel(struct channel* channel) {
  pthread_mutex_lock(&channel->lock);
  channel->stopping = 1;
  pthread_cond_broadcast(&channel->changed);
  pthread_mutex_unlock(&channel->lock);
  pthread_mutex_lock(&count_lock);
  while (stopped < WORKERS) pthread_cond_wait(&all_stopped, &count_lock);
  pthread_mutex_unlock(&count_lock);
}

int main(void) {
  struct channel* channel = calloc(1, sizeof *channel);
  channel->state = kAlive;
  pthread_mutex_init(&channel->lock, 0);
  pthread_mutex_init(&channel->base, 0);
  pthread_cond_init(&channel->changed, 0);
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; ++i) pthread_create(&workers[i], 0, work, channel);
  close_channel(channel);
  channel->state = kDeleted;
  free(channel);
  for (int i = 0; i < WORKERS; ++i) pthread_join(workers[i], 0);
}
