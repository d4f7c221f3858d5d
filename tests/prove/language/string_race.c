// EXPECT fail data-race
#include <pthread.h>
#include <string.h>

static char name[8] = "one";

static void* rename_it(void* unused) {
  strcpy(name, "two");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, rename_it, NULL);
  const int same = strcmp(name, "one") == 0;
  pthread_join(thread, NULL);
  return same & 0;
}
