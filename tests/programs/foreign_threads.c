// Threads that the program starts past Heddle run whenever they like. It says so as soon as one of
// them calls anything of Heddle's, whatever they have broken until then.
//
// EXPECT: unsupported clone
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* stray(void* unused) {
  for (int i = 0; i < 3000; ++i) {
    free(malloc(i % 100));
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  typedef int (*Create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  Create create = (Create)dlvsym(dlopen("libc.so.6", RTLD_NOW), "pthread_create", "GLIBC_2.34");
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) create(&threads[i], NULL, stray, NULL);
  stray(NULL);
  return 0;
}
