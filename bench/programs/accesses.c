// The given number of plain accesses to shared memory by one thread, while another exists: writes
// to a global unless -D says otherwise.
//
//   -DREADS       reads instead
//   -DHEAP        of a heap block; -DLARGE: of one that has pages of its own
//   -DSTACK       of the thread's own stack
//   -DNEW_EPOCHS  every 1,024 accesses the thread releases a lock, so that each of the next is the
//                 first of its kind since
#include <pthread.h>
#include <stdlib.h>

#ifdef LARGE
#define BYTES (1 << 20)
#else
#define BYTES (1024 * sizeof(int))
#endif

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER;
int table[1024];  // not static: nobody reads it, and the writes would be optimised away
int sum;

static void* wait_for_main(void* unused) {
  pthread_mutex_lock(&guard);
  pthread_mutex_unlock(&guard);
  return unused;
}

// The compiler must not know what it works on.
__attribute__((noipa)) static void work(int* memory, long accesses) {
  int seen = 0;
  for (long i = 0; i < accesses; i++) {
#ifdef READS
    seen += memory[i & 1023];
#else
    memory[i & 1023] = (int)i;
#endif
#ifdef NEW_EPOCHS
    if ((i & 1023) == 0) {
      pthread_mutex_lock(&own);
      pthread_mutex_unlock(&own);
    }
#endif
  }
  sum = seen;
}

int main(int count, char** arguments) {
  long accesses = count > 1 ? atol(arguments[1]) : 1000;
  pthread_t other;
  pthread_mutex_lock(&guard);
  pthread_create(&other, NULL, wait_for_main, NULL);
#if defined(HEAP) || defined(LARGE)
  int* memory = malloc(BYTES);
#elif defined(STACK)
  int memory[1024];
#else
  int* memory = table;
#endif
  work(memory, accesses);
#if defined(HEAP) || defined(LARGE)
  free(memory);
#endif
  pthread_mutex_unlock(&guard);
  pthread_join(other, NULL);
  return 0;
}
