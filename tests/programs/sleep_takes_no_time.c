// Half an hour of sleep in every execution; a sleep is a scheduling point and nothing else.
//
// MODEL: main = create a; join a
// MODEL: a = 12 sleep
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: 1
#include <pthread.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static void* work(void* unused) {
  for (int i = 0; i < 10; ++i) sleep(100);
  usleep(400 * 1000 * 1000);
  struct timespec time = {400, 0};
  nanosleep(&time, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
