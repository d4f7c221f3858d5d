// The ways to leave the program from a thread, with exit handlers or without.
//
// FLAGS: -D_GNU_SOURCE
// RUN: --strategy=icb
// ARGUMENTS: _exit
// EXPECT: fail exit-status
// MESSAGE: status 3
// RUN: --strategy=icb
// ARGUMENTS: _Exit
// EXPECT: fail exit-status
// MESSAGE: status 3
// RUN: --strategy=icb
// ARGUMENTS: quick_exit
// EXPECT: fail exit-status
// MESSAGE: status 3
// RUN: --strategy=icb
// ARGUMENTS: exit
// EXPECT: fail exit-status
// MESSAGE: status 4
// RUN: --strategy=icb
// ARGUMENTS: nothing
// EXPECT: pass
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void handler(void) {
  _exit(4);  // only exit comes here
}

static void nothing(void) {}

static void* leave(void* how) {
  if (strcmp(how, "_exit") == 0) _exit(3);
  if (strcmp(how, "_Exit") == 0) _Exit(3);
  if (strcmp(how, "quick_exit") == 0) {
    __cxa_at_quick_exit(nothing, NULL);
    quick_exit(3);
  }
  if (strcmp(how, "exit") == 0) exit(3);
  return NULL;
}

int main(int count, char** arguments) {
  pthread_t thread;
  if (strcmp(arguments[count - 1], "nothing") != 0) atexit(handler);
  pthread_create(&thread, NULL, leave, arguments[count - 1]);
  pthread_join(thread, NULL);
}
