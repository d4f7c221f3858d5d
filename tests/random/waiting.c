// Threads that count up variables, wait for them in every way that real code has, and note what
// they see. One argument for each thread: a script of these words.
//   sX    adds one to variable X; SX also wakes who waits for a condition, and DX writes to a pipe
//   rX    notes the value of variable X
//   wXnK  waits until variable X is at least n, in the way K (see wait_for)
// What was noted becomes the exit status: 1 to 250.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { kVariables = 3, kThreads = 4, kValues = 3 };

static atomic_int variables[kVariables];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static int pipes[kVariables][kValues][2];  // one for each value that is reached
static int caches[kThreads][kVariables];   // each thread its own
static long rounds[kThreads];
static unsigned notes[kThreads];

static int block(int x, int n) {
  pthread_mutex_lock(&mutex);
  while (atomic_load(&variables[x]) < n) pthread_cond_wait(&condition, &mutex);
  return pthread_mutex_unlock(&mutex);
}

static int reached(int x, int n) {
  return atomic_load(&variables[x]) >= n;
}

static int reached_under_lock(int x, int n) {
  pthread_mutex_lock(&mutex);
  const int yes = atomic_load_explicit(&variables[x], memory_order_relaxed) >= n;
  pthread_mutex_unlock(&mutex);
  return yes;
}

// Likewise under other locks, some of which are tried for.
static int reached_under(char lock, int x, int n) {
  switch (lock) {
    case 't':
      if (pthread_mutex_trylock(&mutex) != 0) return 0;
      break;
    case 'q':
      pthread_rwlock_rdlock(&rwlock);
      pthread_rwlock_rdlock(&rwlock);
      pthread_rwlock_unlock(&rwlock);
      break;
    case 'Q':
      if (pthread_rwlock_trywrlock(&rwlock) != 0) return 0;
      break;
    case 'l':
      pthread_spin_lock(&spinlock);
      break;
    default:
      if (pthread_spin_trylock(&spinlock) != 0) return 0;
  }
  const int yes = atomic_load_explicit(&variables[x], memory_order_relaxed) >= n;
  if (lock == 't') pthread_mutex_unlock(&mutex);
  if (lock == 'q' || lock == 'Q') pthread_rwlock_unlock(&rwlock);
  if (lock == 'l' || lock == 'L') pthread_spin_unlock(&spinlock);
  return yes;
}

static int spin_then_block(int x, int n, int most) {
  for (int i = 0; i < most; ++i) {
    if (reached(x, n)) return 0;
    __builtin_ia32_pause();
  }
  return block(x, n);
}

static int wait_for(int self, int x, int n, char way) {
  int* cache = &caches[self][x];
  int expected, backoff = 1;
  struct pollfd ask;
  char byte;
  switch (way) {
    case 'p':  // plain
      while (!reached(x, n)) continue;
      return 0;
    case 'c':  // caches what it reads
      while (*cache < n) *cache = atomic_load(&variables[x]);
      return 0;
    case 'y':
      while (!reached(x, n)) sched_yield();
      return 0;
    case 'e':  // writes what is there
      while (atomic_fetch_or(&variables[x], 0) < n) continue;
      return 0;
    case 'a':  // compares and swaps
      do expected = n;
      while (!atomic_compare_exchange_strong(&variables[x], &expected, n) && expected < n);
      return 0;
    case 'm':
      while (!reached_under_lock(x, n)) continue;
      return 0;
    case 'v':
      while (*(volatile int*)&variables[x] < n) continue;
      return 0;
    case 'k':  // waits longer from round to round
      while (!reached(x, n)) {
        for (int i = 0; i < backoff; ++i) __builtin_ia32_pause();
        if (backoff < 1024) backoff *= 2;
      }
      return 0;
    case 'u':
      while (!reached(x, n)) {
        usleep((unsigned)backoff);
        if (backoff < 1000) backoff *= 2;
      }
      return 0;
    case 'n':  // counts in memory
      while (!reached(x, n)) ++rounds[self];
      return 0;
    case 'b':
      return spin_then_block(x, n, 10);
    case 't':
    case 'q':
    case 'Q':
    case 'l':
    case 'L':
      while (!reached_under(way, x, n)) continue;
      return 0;
    case 'z':
      while (!reached(x, n)) pthread_testcancel();
      return 0;
    case 'f':  // asks whether there is something to read
      ask = (struct pollfd){pipes[x][n][0], POLLIN, 0};
      while (poll(&ask, 1, 0) == 0) continue;
      return 0;
    case 'F':  // tries to read, and puts it back
      while (read(pipes[x][n][0], &byte, 1) < 0) continue;
      return write(pipes[x][n][1], &byte, 1) != 1;
    case 'B':
      return spin_then_block(x, n, 1024);
    default:
      return block(x, n);
  }
}

static const char* scripts[kThreads];

static void* run(void* argument) {
  const int self = (int)(long)argument;
  for (const char* at = scripts[self]; *at != '\0';) {
    const char word = *at++;
    const int x = *at++ - '0';
    if (word == 's') {
      atomic_fetch_add(&variables[x], 1);
    } else if (word == 'S') {
      pthread_mutex_lock(&mutex);
      atomic_fetch_add(&variables[x], 1);
      pthread_cond_broadcast(&condition);
      pthread_mutex_unlock(&mutex);
    } else if (word == 'D') {
      const int now = atomic_fetch_add(&variables[x], 1) + 1;
      if (now < kValues && write(pipes[x][now][1], "", 1) != 1) return NULL;
    } else if (word == 'r') {
      notes[self] = notes[self] * 3 + (unsigned)atomic_load(&variables[x]) + 1;
    } else {
      wait_for(self, x, at[0] - '0', at[1]);
      at += 2;
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < kVariables * kValues; ++i)
    if (pipe2(pipes[i / kValues][i % kValues], O_NONBLOCK) != 0) return 0;
  for (long i = 0; i + 1 < argc; ++i) {
    scripts[i] = argv[i + 1];
    pthread_create(&threads[i], NULL, run, (void*)i);
  }
  unsigned all = 0;
  for (int i = 0; i + 1 < argc; ++i) {
    pthread_join(threads[i], NULL);
    all = all * 17 + notes[i];
  }
  return 1 + (int)(all % 250);
}
