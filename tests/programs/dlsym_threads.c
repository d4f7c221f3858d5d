// Functions of libc that a program looks up by name are under control as those that it calls.
//
// RUN: --strategy=icb
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DBY_HANDLE
// EXPECT: fail assertion
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void* add(void* unused) {
  atomic_store(&counter, atomic_load(&counter) + 1);
  return unused;
}

int main(void) {
#ifdef BY_HANDLE
  void* where = dlopen("libc.so.6", RTLD_NOW);
#else
  void* where = RTLD_NEXT;
#endif
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = (int (*)(
      pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))dlsym(where, "pthread_create");
  int (*join)(pthread_t, void**) = (int (*)(pthread_t, void**))dlsym(where, "pthread_join");
  pthread_t other;
  create(&other, NULL, add, NULL);
  add(NULL);
  join(other, NULL);
  assert(dlsym(where, "no_such_function") == NULL && dlerror() != NULL);
  assert(counter == 2);
  return 0;
}
