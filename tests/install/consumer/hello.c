#include <pthread.h>
#include <stdio.h>

static void* hello(void* unused) {
  puts("hello");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, hello, NULL);
  pthread_join(thread, NULL);
  return 0;
}
