// Parts of one word, each with a thread of its own: no race. With OVERLAP one of them reaches over.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DOVERLAP
// EXPECT: fail data-race
// MESSAGE: parts
#include <pthread.h>

static struct {
  char a, b;
  short c;
  int d;
} parts;

static void* first(void* unused) {
  for (int i = 0; i < 3; i++) parts.a++, parts.c++;
  return unused;
}

static void* second(void* unused) {
  for (int i = 0; i < 3; i++) parts.b++, parts.d++;
#ifdef OVERLAP
  parts.c = 0;
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return parts.a != 3 || parts.b != 3 || parts.d != 3;
}
