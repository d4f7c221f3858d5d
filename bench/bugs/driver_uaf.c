// A device file that is closed while a request on it begins. The request finds the session in the
// table and takes its reference in two steps; the last reference may go in between, and the
// session with it. What is used then is freed memory, as in several drivers of this kind.
// FIXED: the table stays locked until the reference is taken.
#include <assert.h>
#include <stdlib.h>

#include "crew.h"

enum { kAlive = 0x5e5510, kDead = 0xdead };

struct session {
  volatile int state;  // volatile: the last change must not be optimised away
  int references;
  int requests;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session* table;

static void drop(struct session* session) {
  pthread_mutex_lock(&lock);
  const int left = --session->references;
  pthread_mutex_unlock(&lock);
  if (left > 0) return;
  session->state = kDead;
  free(session);
}

static void* request(void* unused) {
  pthread_mutex_lock(&lock);
  struct session* session = table;
#ifndef FIXED
  pthread_mutex_unlock(&lock);
  if (session == 0) return unused;
  pthread_mutex_lock(&lock);
#endif
  if (session != 0) {
    ++session->references;
    ++session->requests;
  }
  pthread_mutex_unlock(&lock);
  if (session == 0) return unused;
  assert(session->state == kAlive);
  drop(session);
  return unused;
}

static void* close_file(void* unused) {
  pthread_mutex_lock(&lock);
  struct session* session = table;
  table = 0;
  pthread_mutex_unlock(&lock);
  if (session != 0) drop(session);
  return unused;
}

int main(void) {
  table = malloc(sizeof *table);
  *table = (struct session){.state = kAlive, .references = 1};
  start(request, 0);
  start(request, 0);
  start(close_file, 0);
  join_all();
}
