// EXPECT pass
#include <assert.h>
#include <pthread.h>
pthread_t a;
int ok;
void* f(void* x) {
  pthread_t me = pthread_self();
  *(pthread_t*)x = me;
  return 0;
}
int main() {
  pthread_t mine = 0;
  pthread_create(&a, 0, f, &mine);
  pthread_join(a, 0);
  assert(pthread_equal(mine, a));
  assert(!pthread_equal(pthread_self(), a));
}
