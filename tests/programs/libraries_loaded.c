// What the dynamic linker allocates is no leak, and what a loaded library or a mapping of the
// program refers to is none, either; but what nothing refers to is one. In a program that was not
// compiled for Heddle it is a note.
//
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DLOSE
// EXPECT: fail leak
// RUN: --strategy=icb
// DOOR: preload
// FLAGS: -DLOSE
// EXPECT: pass
// NOTE: nothing refers to 100 bytes in 1 block
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static void* load(void* argument) {
  dlclose(dlopen("libm.so.6", RTLD_NOW));
  return argument;
}

static void lose(void) {
  char* volatile block = malloc(100);
  block[0] = 1;
  block = NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, load, NULL);
  load(NULL);
  pthread_join(thread, NULL);
  dlopen("libm.so.6", RTLD_NOW);
  void** page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *page = malloc(10);
  page = NULL;
#ifdef LOSE
  lose();
#endif
  return 0;
}
