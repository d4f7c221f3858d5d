// Numbers of the random devices are the same in every execution, however they are read: what a
// thread does depends on them here, and an execution that differed would not be repeatable.
//
// RUN: --strategy=icb --bound=2
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// FLAGS: -DSTREAM
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// FLAGS: -DAT
// EXPECT: pass
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned char number(const char* device) {
  unsigned char bytes[8] = {0}, zero[8] = {0};
#ifdef STREAM
  FILE* file = fopen(device, "rb");
  assert(file != NULL && fread(bytes, 1, sizeof bytes, file) == sizeof bytes);
  assert(fclose(file) == 0);
#else
#ifdef AT
  const int file = openat(AT_FDCWD, device, O_RDONLY);
#else
  const int file = open(device, O_RDONLY);
#endif
  assert(file >= 0 && read(file, bytes, sizeof bytes) == sizeof bytes);
  assert(close(file) == 0);
#endif
  assert(memcmp(bytes, zero, sizeof bytes) != 0);
  return bytes[0];
}

static void* work(void* device) {
  const int times = 1 + (number(device) & 3);
  for (int i = 0; i < times; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, work, "/dev/urandom");
  pthread_create(&two, NULL, work, "/dev/random");
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
