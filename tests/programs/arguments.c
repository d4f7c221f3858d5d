// The program's own arguments arrive, after --, and are the same in every execution although the
// program scribbles on them.
//
// ARGUMENTS: one "two words" --three
// RUN: --strategy=dfs
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static void* work(void* unused) {
  sched_yield();
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  assert(argc == 4 && strcmp(argv[1], "one") == 0);
  assert(strcmp(argv[2], "two words") == 0 && strcmp(argv[3], "--three") == 0);
  argv[1][0] = 'O';
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  pthread_join(thread, NULL);
  return 0;
}
