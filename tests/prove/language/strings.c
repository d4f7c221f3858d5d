// EXPECT pass
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char name[16], copy[16];

static void* greet(void* word) {
  strcpy(name, "hello, ");
  strncat(name, word, 5);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, greet, "worldwide");
  pthread_join(thread, NULL);
  assert(strcmp(name, "hello, world") == 0 && strlen(name) == 12);
  strncpy(copy, name, 4);
  assert(strncmp(copy, "help", 3) == 0 && strcmp(copy, "help") < 0);
  assert(strchr(name, 'w') == name + 7 && strrchr(name, 'l') == name + 10);
  assert(strchr(name, 'z') == NULL && memcmp(name, copy, 4) == 0);
  assert(atoi(" -42x") == -42 && strnlen(name, 3) == 3);
  return 0;
}
