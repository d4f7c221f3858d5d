// A process that the program forks without the C library is not searched.
//
// RUN: --strategy=icb --time=20
// EXPECT: unsupported fork
#include <pthread.h>
#include <sys/syscall.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  long child = SYS_fork;
  __asm__ volatile("syscall" : "+a"(child) : : "rcx", "r11", "memory");
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
