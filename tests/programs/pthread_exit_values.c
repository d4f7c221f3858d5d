// Values travel from return and from pthread_exit to pthread_join, and pthread_self and
// pthread_equal tell threads apart.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void leave(void* value) {
  pthread_exit(value);
}

static void* by_exit(void* value) {
  assert(!pthread_equal(pthread_self(), main_thread));
  leave(value);
  return NULL;
}

static void* by_return(void* value) {
  return value;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  void* result;
  main_thread = pthread_self();
  pthread_create(&a, NULL, by_exit, &x);
  pthread_create(&b, NULL, by_return, &y);
  assert(!pthread_equal(a, b) && pthread_equal(main_thread, pthread_self()));
  pthread_join(a, &result);
  assert(result == &x);
  pthread_join(b, &result);
  assert(result == &y);
  return 0;
}
