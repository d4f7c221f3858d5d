// More annotations than there is room for: no race is made up, and the report says what may have
// been missed.
//
// LIBTSAN: no
// RUN: --strategy=icb
// EXPECT: pass
// GUARANTEE: without some of the races
// NOTE: its races may have been missed
// RUN: --strategy=icb
// FLAGS: -DFEW
// EXPECT: fail data-race
#include <pthread.h>

void AnnotateBenignRaceSized(const char* file, int line, const volatile void* memory, long size,
                             const char* description);

#ifdef FEW
#define MANY 100
#else
#define MANY 1000
#endif

int counters[MANY], other;  // not static, or the compiler leaves them out

static void* count(void* unused) {
  for (int i = 0; i < MANY; i++) counters[i] = 1;
  other = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < MANY; i++)
    AnnotateBenignRaceSized(__FILE__, __LINE__, &counters[i], sizeof counters[i], "statistics");
  pthread_create(&thread, NULL, count, NULL);
  count(NULL);
  pthread_join(thread, NULL);
  return 0;
}
