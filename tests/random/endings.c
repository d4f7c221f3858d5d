// Runs scripts until the process ends in one way or another: one argument per thread, the first for
// main, which creates the others.
//   s01  store 1 to variable 0       c012  compare variable 0 with 1 and swap it for 2
//   x    exit                        r     register the exit handler
//   p    leave by pthread_exit (main; otherwise it returns, which is an exit)
// The handler ends the process with a status that tells who ran it and what the variables were.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static char** scripts;
static int count;
static atomic_int variables[2];
static __thread int self;

static void handler(void) {
  int first = atomic_load(&variables[0]), second = atomic_load(&variables[1]);
  _exit(1 + first + 4 * second + 16 * self);
}

static void* run(void* number) {
  self = (int)(intptr_t)number;
  for (const char* s = scripts[self]; *s; ++s) {
    if (*s == 'x') exit(0);
    if (*s == 'p') pthread_exit(0);
    if (*s == 'r') atexit(handler);
    if (*s == 's') {
      atomic_store(&variables[s[1] - '0'], s[2] - '0');
      s += 2;
    }
    if (*s == 'c') {
      int expected = s[2] - '0';
      atomic_compare_exchange_strong(&variables[s[1] - '0'], &expected, s[3] - '0');
      s += 3;
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  scripts = argv + 1;
  count = argc - 1;
  if (scripts[0][0] == 'r') {
    atexit(handler);
    ++scripts[0];
  }
  pthread_t thread;
  for (intptr_t i = 1; i < count; ++i) pthread_create(&thread, 0, run, (void*)i);
  run(0);
  return 0;
}
