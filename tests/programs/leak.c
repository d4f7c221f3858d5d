// Both threads find nothing there and make one; the first of the two is lost.
//
// RUN: --strategy=icb
// EXPECT: fail leak
// PREEMPTIONS: 1
// LOCATION: leak.c:23
// MESSAGE: nothing refers to 24 bytes in 1 block
// RUN: --strategy=icb --bound=0
// EXPECT: pass
// RUN: --strategy=dfs --leaks=off
// EXPECT: pass
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  long a, b, c;
} Table;

static Table* _Atomic table;

static Table* get_table(void) {
  if (!table) table = malloc(sizeof(Table));
  return table;
}

static void* worker(void* unused) {
  get_table();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  get_table();
  pthread_join(thread, NULL);
  return 0;
}
