// What the program says about itself: synchronisation that we do not see, a race that it means.
//
// RUN: --strategy=dfs
// FLAGS: -DHAPPENS
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DBENIGN
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DACQUIRE
// EXPECT: pass
// RUN: --strategy=dfs
// EXPECT: fail data-race
#include <pthread.h>
#include <stdatomic.h>

void AnnotateHappensBefore(const char*, int, const volatile void*);
void AnnotateHappensAfter(const char*, int, const volatile void*);
void AnnotateBenignRaceSized(const char*, int, const volatile void*, unsigned long, const char*);
void __tsan_acquire(void*);
void __tsan_release(void*);

static atomic_int turn;
int shared;  // not static, or the compiler leaves it out

static void* worker(void* unused) {
  shared = 1;
#ifdef HAPPENS
  AnnotateHappensBefore(__FILE__, __LINE__, &turn);
#elif defined(ACQUIRE)
  __tsan_release(&turn);
#endif
  atomic_store_explicit(&turn, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef BENIGN
  AnnotateBenignRaceSized(__FILE__, __LINE__, &shared, sizeof shared, "on purpose");
#endif
  pthread_create(&thread, NULL, worker, NULL);
  if (atomic_load_explicit(&turn, memory_order_relaxed)) {
#ifdef HAPPENS
    AnnotateHappensAfter(__FILE__, __LINE__, &turn);
#elif defined(ACQUIRE)
    __tsan_acquire(&turn);
#endif
    shared = 2;
  }
  pthread_join(thread, NULL);
  return shared == 3;
}
