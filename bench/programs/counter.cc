// Three threads, main among them, take turns at a counter. The program can own much more memory
// than it writes: static (STATIC_MB), on the heap and written before main (BEFORE_MAIN_MB), or
// allocated in main and hardly touched (IN_MAIN_MB).
#include <pthread.h>

#include <cstdlib>
#include <cstring>

#ifndef STATIC_MB
#define STATIC_MB 0
#endif
#ifndef BEFORE_MAIN_MB
#define BEFORE_MAIN_MB 0
#endif
#ifndef IN_MAIN_MB
#define IN_MAIN_MB 0
#endif
#define ROUNDS 4

namespace {

constexpr size_t bytes(size_t megabytes) {
  return (megabytes << 20) + 64;
}

struct Blocks {
  char* memory = static_cast<char*>(malloc(bytes(BEFORE_MAIN_MB)));
  Blocks() { memset(memory, 1, bytes(BEFORE_MAIN_MB)); }
} before_main;

char owned[bytes(STATIC_MB)];
char* allocated;
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
int counter;

void* count(void* unused) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&guard);
    ++counter;
    ++owned[bytes(STATIC_MB) / 2];
    ++before_main.memory[bytes(BEFORE_MAIN_MB) / 2];
    ++allocated[bytes(IN_MAIN_MB) / 2];
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

}  // namespace

int main() {
  allocated = static_cast<char*>(malloc(bytes(IN_MAIN_MB)));
  pthread_t others[2];
  for (pthread_t& other : others) pthread_create(&other, nullptr, count, nullptr);
  count(nullptr);
  for (pthread_t other : others) pthread_join(other, nullptr);
  free(allocated);
  return counter == 3 * ROUNDS ? 0 : 1;
}
