// EXPECT pass
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int n = 4;
long* a;
void* f(void* x) {
  a[(long)x] += 1;
  return 0;
}
int main() {
  a = calloc(n, sizeof *a);
  pthread_t* t = malloc(sizeof(pthread_t) * n);
  for (long i = 0; i < n; i++) pthread_create(&t[i], 0, f, (void*)i);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  for (int i = 0; i < n; i++) assert(a[i] == 1);
  free(a);
  free(t);
}
