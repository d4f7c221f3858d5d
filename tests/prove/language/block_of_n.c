// EXPECT fail out-of-bounds
#include <pthread.h>
#include <stdlib.h>
int n = 3;
int* a;
void* f(void* x) {
  a[n] = 1;
  return 0;
}
int main() {
  pthread_t t;
  a = malloc(n * sizeof *a);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  free(a);
}
