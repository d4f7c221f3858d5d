// Names that the program gives to its threads, and other calls that change nothing.
//
// RUN: --strategy=icb
// EXPECT: fail assertion
// LOCATION: thread_names.c
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static void prepare(void) {}

static void* work(void* unused) {
  char name[16];
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  pthread_setname_np(pthread_self(), "a worker");
  pthread_getname_np(pthread_self(), name, sizeof name);
  assert(strcmp(name, "a worker") == 0);
  assert(pthread_setname_np(pthread_self(), "much too long a name") == ERANGE);
  assert(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  cpu_set_t processors;
  pthread_atfork(prepare, prepare, prepare);
  pthread_attr_init(&attributes);
  pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM);
  pthread_attr_setguardsize(&attributes, 4096);
  pthread_setconcurrency(2);
  assert(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors) == 0);
  assert(pthread_setaffinity_np(pthread_self(), sizeof processors, &processors) == 0);
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
  pthread_mutex_t mutex;
  assert(pthread_mutex_init(&mutex, &kind) == 0);
  assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
  pthread_create(&thread, &attributes, work, NULL);
  assert(pthread_kill(thread, 0) == 0);
  pthread_join(thread, NULL);
  return 0;
}
