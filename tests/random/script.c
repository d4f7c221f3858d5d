// Runs scripts: one argument per thread, the first for main; threads are numbered by argument.
//   c2 j2  create, join thread 2        l0 u0  lock, unlock mutex 0
//   w01    wait on condition 0 with mutex 1    s0 b0  signal, broadcast condition 0
//   y      yield                        a      atomic increment
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static char** scripts;
static pthread_t threads[10];
static pthread_mutex_t mutexes[10];
static pthread_cond_t conditions[10];
static atomic_int counter;

static void* run(void* number) {
  for (const char* s = scripts[(intptr_t)number]; *s;) {
    char op = *s++;
    int object = *s >= '0' && *s <= '9' ? *s++ - '0' : 0;
    switch (op) {
      case 'c':
        pthread_create(&threads[object], NULL, run, (void*)(intptr_t)object);
        break;
      case 'j':
        pthread_join(threads[object], NULL);
        break;
      case 'l':
        pthread_mutex_lock(&mutexes[object]);
        break;
      case 'u':
        pthread_mutex_unlock(&mutexes[object]);
        break;
      case 'w':
        pthread_cond_wait(&conditions[object], &mutexes[*s++ - '0']);
        break;
      case 's':
        pthread_cond_signal(&conditions[object]);
        break;
      case 'b':
        pthread_cond_broadcast(&conditions[object]);
        break;
      case 'y':
        sched_yield();
        break;
      case 'a':
        atomic_fetch_add(&counter, 1);
        break;
      default:
        assert(!"an unknown operation");
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  assert(argc > 1 && counter == 0);
  scripts = argv + 1;
  for (int i = 0; i < 10; ++i) {
    pthread_mutex_init(&mutexes[i], NULL);
    pthread_cond_init(&conditions[i], NULL);
  }
  run((void*)0);
  return 0;
}
