// Annotations of ThreadSanitizer that say what does not count, and some that must at least link.
//
// RUN: --strategy=dfs
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DIGNORE
// EXPECT: fail data-race
// RUN: --strategy=dfs
// FLAGS: -DUNALIGNED
// EXPECT: fail data-race
#include <pthread.h>
#include <stdint.h>

void AnnotateIgnoreSyncBegin(const char*, int);
void AnnotateIgnoreSyncEnd(const char*, int);
void AnnotateThreadName(const char*, int, const char*);
void AnnotateRWLockCreateStatic(const char*, int, const volatile void*);
void AnnotateRWLockDestroy(const char*, int, const volatile void*);
void AnnotateFlushState(const char*, int);
void AnnotatePublishMemoryRange(const char*, int, const volatile void*, uintptr_t);
void WTFAnnotateBenignRaceSized(const char*, int, const volatile void*, unsigned long, const char*);
int RunningOnValgrind(void);
uint32_t __sanitizer_unaligned_load32(const void*);
void __sanitizer_unaligned_store32(void*, uint32_t);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char bytes[16];
int shared;

static void* work(void* unused) {
  AnnotateThreadName(__FILE__, __LINE__, "worker");
#ifdef UNALIGNED
  __sanitizer_unaligned_store32(bytes + 1, 5);
#endif
#ifdef IGNORE
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
#endif
  pthread_mutex_lock(&mutex);
  ++shared;
  pthread_mutex_unlock(&mutex);
#ifdef IGNORE
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  AnnotateRWLockCreateStatic(__FILE__, __LINE__, bytes);
  AnnotateFlushState(__FILE__, __LINE__);
  AnnotatePublishMemoryRange(__FILE__, __LINE__, bytes, sizeof bytes);
  static int unused;
  WTFAnnotateBenignRaceSized(__FILE__, __LINE__, &unused, sizeof unused, "nobody uses it");
  pthread_create(&thread, NULL, work, NULL);
#ifdef UNALIGNED
  __sanitizer_unaligned_load32(bytes + 2);
#endif
  pthread_mutex_lock(&mutex);
  ++shared;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  AnnotateRWLockDestroy(__FILE__, __LINE__, bytes);
  return RunningOnValgrind();
}
