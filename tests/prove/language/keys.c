// EXPECT pass
#include <assert.h>
#include <pthread.h>
pthread_key_t k;
void* f(void* x) {
  assert(pthread_getspecific(k) == 0);
  pthread_setspecific(k, x);
  sched_yield();
  assert(pthread_getspecific(k) == x);
  return 0;
}
int main() {
  int p, q;
  pthread_t a, b;
  pthread_key_create(&k, 0);
  pthread_create(&a, 0, f, &p);
  pthread_create(&b, 0, f, &q);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_key_delete(k);
}
