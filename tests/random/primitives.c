// Runs scripts over all that threads share and wait for: one argument per thread, the first for
// main, which creates the others. Before them, an argument sets things up: the values of the two
// semaphores, the number at the barrier, whether there are descriptors, whether the event
// counter counts down, and whether main looks at the atomic variables in the end by plain reads. A
// word of a script is a letter and a digit; primitives_test.py lists them. What each thread saw
// becomes the exit status.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kMostThreads = 6 };

struct Thread {
  pthread_t id;
  unsigned seen;
  int holds[2], recursions, spins;
  int reads;  // under the reader-writer lock; -1: writes
};

static char** scripts;
static int count;
static struct Thread threads[kMostThreads];
static __thread struct Thread* self;

static atomic_int variables[3];
static pthread_mutex_t mutexes[2], recursive, checking, robust;
static int under_mutex[2], under_spin_lock;
static pthread_rwlock_t rwlock;
static sem_t semaphores[2];
static pthread_cond_t conditions[2];
static pthread_barrier_t barrier;
static pthread_once_t onces[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static pthread_spinlock_t spin_lock;
static int counter, ends[2];

static void see(int value) {
  self->seen = self->seen * 31 + (unsigned)value + 7;
}

static struct timespec soon(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  ++time.tv_sec;
  return time;
}

static void first(void) {
  see(atomic_fetch_add(&variables[0], 1));
}

static void second(void) {
  atomic_store(&variables[1], 3);
  pthread_mutex_lock(&mutexes[1]);
  ++under_mutex[1];
  pthread_mutex_unlock(&mutexes[1]);
}

static void at_exit(void) {
  atomic_fetch_add(&variables[0], 1);
}

static void compare_and_swap(int variable, int expected, int weak) {
  const int swapped =
      weak ? atomic_compare_exchange_weak(&variables[variable], &expected, expected + 2)
           : atomic_compare_exchange_strong(&variables[variable], &expected, expected + 1);
  see(swapped);
  see(expected);
}

static void lock_mutex(char how, int i) {
  struct timespec time = soon();
  if (self->holds[i]) return;
  const int result = how == 'm'   ? pthread_mutex_lock(&mutexes[i])
                     : how == 't' ? pthread_mutex_trylock(&mutexes[i])
                                  : pthread_mutex_timedlock(&mutexes[i], &time);
  see(result);
  if (result != 0) return;
  self->holds[i] = 1;
  see(under_mutex[i]++);
}

static void unlock_mutex(int i) {
  if (!self->holds[i]) return;
  self->holds[i] = 0;
  pthread_mutex_unlock(&mutexes[i]);
}

static int on_mutex(pthread_mutex_t* mutex, int how) {
  return how == 0   ? pthread_mutex_lock(mutex)
         : how == 1 ? pthread_mutex_unlock(mutex)
                    : pthread_mutex_trylock(mutex);
}

static void use_recursive(int how) {
  if (how == 1 && self->recursions == 0) return;
  const int result = on_mutex(&recursive, how);
  see(result);
  if (result == 0) self->recursions += how == 1 ? -1 : 1;
}

static void use_robust(int how) {
  const int result = on_mutex(&robust, how);
  see(result);
  if (result == EOWNERDEAD && how == 2) pthread_mutex_consistent(&robust);
}

static void lock_to_read(int how) {
  struct timespec time = soon();
  if (self->reads < 0) return;
  const int result = how == 0   ? pthread_rwlock_rdlock(&rwlock)
                     : how == 1 ? pthread_rwlock_tryrdlock(&rwlock)
                                : pthread_rwlock_timedrdlock(&rwlock, &time);
  see(result);
  self->reads += result == 0;
}

static void lock_to_write(int how) {
  struct timespec time = soon();
  if (self->reads != 0) return;
  const int result = how == 0   ? pthread_rwlock_wrlock(&rwlock)
                     : how == 1 ? pthread_rwlock_trywrlock(&rwlock)
                                : pthread_rwlock_timedwrlock(&rwlock, &time);
  see(result);
  self->reads -= result == 0;
}

static void unlock_rwlock(void) {
  if (self->reads == 0) return;
  self->reads = self->reads < 0 ? 0 : self->reads - 1;
  pthread_rwlock_unlock(&rwlock);
}

static void wait_for_condition(int i, int for_a_time, struct timespec time) {
  if (!self->holds[0]) return;
  see(for_a_time ? pthread_cond_timedwait(&conditions[i], &mutexes[0], &time)
                 : pthread_cond_wait(&conditions[i], &mutexes[0]));
  see(under_mutex[0]++);
}

static void use_semaphore(char how, int i) {
  struct timespec time = soon();
  int value = 0;
  switch (how) {
    case 'w':
      sem_wait(&semaphores[i]);
      break;
    case 'p':
      sem_post(&semaphores[i]);
      break;
    case 'y':
      see(sem_trywait(&semaphores[i]));
      break;
    case 'Y':
      see(sem_timedwait(&semaphores[i], &time));
      break;
    default:
      sem_getvalue(&semaphores[i], &value);
      see(value);
  }
}

static void use_spin_lock(char how) {
  if (how == 'z' ? !self->spins : self->spins) return;
  if (how == 'z') {
    self->spins = 0;
    pthread_spin_unlock(&spin_lock);
    return;
  }
  const int result = how == 'x' ? pthread_spin_lock(&spin_lock) : pthread_spin_trylock(&spin_lock);
  see(result);
  if (result != 0) return;
  self->spins = 1;
  see(under_spin_lock++);
}

static void use_futex(char how, int variable, int number) {
  const int operation = how == 'f' ? FUTEX_WAIT : FUTEX_WAKE;
  see((int)syscall(SYS_futex, &variables[variable], operation, how == 'f' ? number : 1 + number, 0,
                   0, 0));
}

static void use_descriptor(char how, int i) {
  uint64_t number = 1;
  char letter = (char)('a' + (self - threads));
  void* data = i == 0 ? (void*)&number : &letter;
  const size_t size = i == 0 ? sizeof number : 1;
  if (how == 'i') {
    if (write(i == 0 ? counter : ends[1], data, size) < 0) abort();
    return;
  }
  see((int)read(i == 0 ? counter : ends[0], data, size));
  see(i == 0 ? (int)number : letter);
}

static void try_to_join(int i) {
  if (self != &threads[0] || i >= count || threads[i].id == 0) return;
  const int result = pthread_tryjoin_np(threads[i].id, NULL);
  see(result);
  if (result == 0) threads[i].id = 0;
}

static void take(char word, int i) {
  switch (word) {
    case 's':
      atomic_store(&variables[i % 3], 1 + i / 3);
      break;
    case 'l':
      see(atomic_load(&variables[i]));
      break;
    case 'a':
      see(atomic_fetch_add(&variables[i], 1));
      break;
    case 'c':
      compare_and_swap(i % 3, i / 3, 0);
      break;
    case 'k':
      compare_and_swap(i % 3, i / 3, 1);
      break;
    case 'm':
    case 't':
    case 'T':
      lock_mutex(word, i);
      break;
    case 'u':
      unlock_mutex(i);
      break;
    case 'e':
      see(on_mutex(&checking, i));
      break;
    case 'E':
      use_recursive(i);
      break;
    case 'g':
      use_robust(i);
      break;
    case 'w':
    case 'p':
    case 'y':
    case 'Y':
    case 'v':
      use_semaphore(word, i);
      break;
    case 'R':
      lock_to_read(i);
      break;
    case 'W':
      lock_to_write(i);
      break;
    case 'U':
      unlock_rwlock();
      break;
    case 'b':
      see(pthread_barrier_wait(&barrier));
      break;
    case 'o':
      pthread_once(&onces[i], i == 0 ? first : second);
      break;
    case 'x':
    case 'X':
    case 'z':
      use_spin_lock(word);
      break;
    case 'C':
      wait_for_condition(i, 0, soon());
      break;
    case 'D':
      wait_for_condition(i, 1, soon());
      break;
    case 'd':
      wait_for_condition(i, 1, (struct timespec){0, 0});
      break;
    case 'S':
      pthread_cond_signal(&conditions[i]);
      break;
    case 'B':
      pthread_cond_broadcast(&conditions[i]);
      break;
    case 'f':
    case 'F':
      use_futex(word, i % 3, i / 3);
      break;
    case 'r':
    case 'i':
      use_descriptor(word, i);
      break;
    case 'j':
      try_to_join(i);
      break;
    case 'q':
      sched_yield();
      break;
    case 'h':
      if ((i == 0 ? atexit(at_exit) : at_quick_exit(at_exit)) != 0) abort();
      break;
    case '_':
      _exit(0);
    case '!':
      exit(200 + (int)(self - threads));
    case '~':
      pthread_exit(NULL);
    default:
      abort();
  }
}

static void* run(void* number) {
  self = &threads[(intptr_t)number];
  for (const char* s = scripts[(intptr_t)number]; *s; s += 2) take(s[0], s[1] - '0');
  return NULL;
}

static void set_up(const char* how) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_init(&mutexes[i], NULL);
    pthread_cond_init(&conditions[i], NULL);
    sem_init(&semaphores[i], 0, (unsigned)(how[i] - '0'));
  }
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &attributes);
  pthread_rwlock_init(&rwlock, NULL);
  pthread_barrier_init(&barrier, NULL, (unsigned)(how[2] - '0'));
  pthread_spin_init(&spin_lock, PTHREAD_PROCESS_PRIVATE);
  if (how[3] == '0') return;
  counter = eventfd(0, how[4] == '1' ? EFD_SEMAPHORE : 0);
  if (counter < 0 || pipe(ends) != 0) abort();
}

int main(int argc, char** argv) {
  set_up(argv[1]);
  scripts = argv + 2;
  count = argc - 2;
  for (intptr_t i = 1; i < count; ++i) pthread_create(&threads[i].id, NULL, run, (void*)i);
  run(0);
  for (int i = 1; i < count; ++i)
    if (threads[i].id != 0) pthread_join(threads[i].id, NULL);
  unsigned hash = (unsigned)(under_mutex[0] + 5 * under_mutex[1] + 25 * under_spin_lock);
  const int* plainly = (const int*)variables;
  for (int i = 0; i < 3; ++i)
    hash = hash * 7 + (unsigned)(argv[1][5] == '1' ? plainly[i] : variables[i]);
  for (int i = 0; i < count; ++i) hash = hash * 1000003 + threads[i].seen;
  hash ^= hash >> 15;
  hash *= 2654435761;
  hash ^= hash >> 13;
  return 1 + (int)(hash % 190);
}
