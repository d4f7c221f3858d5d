// Annotations for race detection, as ThreadSanitizer and Valgrind know them: what the program says
// about its own synchronisation, and about races that it means to have. They are no scheduling
// points.
#include <cstddef>

#include "runtime/checkers/races.h"
#include "runtime/core/runtime.h"

namespace heddle {
namespace {

void ignore(AccessKind kind, bool begin) {
  if (g_switches.detects_races && g_switches.on_fiber) g_races.ignore(kind, begin);
}

void benign(const volatile void* address, size_t bytes) {
  if (g_switches.detects_races && g_switches.on_fiber) g_races.benign(address_of(address), bytes);
}

// Beside the address itself, which may be an atomic with rules of its own.
const volatile void* annotated(const volatile void* address) {
  return reinterpret_cast<const volatile void*>(value(address_of(address)) | 1ull << 62);
}

constexpr unsigned kReadLock = 1 << 3;  // flags of __tsan_mutex_*
constexpr unsigned kTryLockFailed = 1 << 5;

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT void __tsan_acquire(void* address) {
  sync_acquire(annotated(address));
}
HEDDLE_EXPORT void __tsan_release(void* address) {
  sync_release(annotated(address));
}
HEDDLE_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* address) {
  sync_release(annotated(address));
}
HEDDLE_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* address) {
  sync_acquire(annotated(address));
}

HEDDLE_EXPORT void AnnotateBenignRace(const char*, int, const volatile void* address, const char*) {
  benign(address, 8);
}
HEDDLE_EXPORT void AnnotateBenignRaceSized(const char*, int, const volatile void* address,
                                           size_t bytes, const char*) {
  benign(address, bytes);
}

HEDDLE_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) {
  ignore(AccessKind::Read, true);
}
HEDDLE_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) {
  ignore(AccessKind::Read, false);
}
HEDDLE_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) {
  ignore(AccessKind::Write, true);
}
HEDDLE_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) {
  ignore(AccessKind::Write, false);
}
HEDDLE_EXPORT void __tsan_ignore_thread_begin() {
  ignore(AccessKind::Read, true);
  ignore(AccessKind::Write, true);
}
HEDDLE_EXPORT void __tsan_ignore_thread_end() {
  ignore(AccessKind::Read, false);
  ignore(AccessKind::Write, false);
}

HEDDLE_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) {
  if (g_switches.detects_races && g_switches.on_fiber) g_races.ignore_synchronisation(true);
}
HEDDLE_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) {
  if (g_switches.detects_races && g_switches.on_fiber) g_races.ignore_synchronisation(false);
}

// WebKit's names.
HEDDLE_EXPORT void WTFAnnotateHappensBefore(const char*, int, const volatile void* address) {
  sync_release(annotated(address));
}
HEDDLE_EXPORT void WTFAnnotateHappensAfter(const char*, int, const volatile void* address) {
  sync_acquire(annotated(address));
}
HEDDLE_EXPORT void WTFAnnotateBenignRaceSized(const char*, int, const volatile void* address,
                                              size_t bytes, const char*) {
  benign(address, bytes);
}

// Conditions and queues, in words of older tools: who signals or puts releases, who waits or gets
// acquires.
HEDDLE_EXPORT void AnnotateCondVarSignal(const char*, int, const volatile void* condition) {
  sync_release(annotated(condition));
}
HEDDLE_EXPORT void AnnotateCondVarSignalAll(const char*, int, const volatile void* condition) {
  sync_release(annotated(condition));
}
HEDDLE_EXPORT void AnnotateCondVarWait(const char*, int, const volatile void* condition,
                                       const volatile void*) {
  sync_acquire(annotated(condition));
}
HEDDLE_EXPORT void AnnotatePCQPut(const char*, int, const volatile void* queue) {
  sync_release(annotated(queue));
}
HEDDLE_EXPORT void AnnotatePCQGet(const char*, int, const volatile void* queue) {
  sync_acquire(annotated(queue));
}

// Said to other tools, or about what is so here anyway.
#define NOTHING(name, ...) \
  HEDDLE_EXPORT void name(const char*, int __VA_OPT__(, ) __VA_ARGS__) {}
NOTHING(AnnotateThreadName, const char*)
NOTHING(AnnotateFlushState)
NOTHING(AnnotateNoOp, const volatile void*)
NOTHING(AnnotateFlushExpectedRaces)
NOTHING(AnnotateEnableRaceDetection, int)
NOTHING(AnnotateExpectRace, const volatile void*, const char*)
NOTHING(AnnotateTraceMemory, const volatile void*)
NOTHING(AnnotateNewMemory, const volatile void*, uintptr_t)
NOTHING(AnnotateMemoryIsInitialized, const volatile void*, uintptr_t)
NOTHING(AnnotateMemoryIsUninitialized, const volatile void*, uintptr_t)
NOTHING(AnnotatePublishMemoryRange, const volatile void*, uintptr_t)
NOTHING(AnnotateUnpublishMemoryRange, const volatile void*, uintptr_t)
NOTHING(AnnotateMutexIsUsedAsCondVar, const volatile void*)
NOTHING(AnnotateMutexIsNotPHB, const volatile void*)
NOTHING(AnnotatePCQCreate, const volatile void*)
NOTHING(AnnotatePCQDestroy, const volatile void*)
HEDDLE_EXPORT int RunningOnValgrind() {
  return 0;
}
HEDDLE_EXPORT double ValgrindSlowdown() {
  return 10;  // what libtsan says
}

// Locks of the program's own making. Whether one blocks is the program's business.
HEDDLE_EXPORT void AnnotateRWLockCreate(const char*, int, const volatile void* lock) {
  sync_forget(annotated(lock));
}
HEDDLE_EXPORT void AnnotateRWLockCreateStatic(const char*, int, const volatile void* lock) {
  sync_forget(annotated(lock));
}
HEDDLE_EXPORT void AnnotateRWLockDestroy(const char*, int, const volatile void* lock) {
  sync_forget(annotated(lock));
}
HEDDLE_EXPORT void AnnotateRWLockAcquired(const char*, int, const volatile void* lock,
                                          uintptr_t exclusive) {
  if (exclusive != 0)
    sync_acquire_all(annotated(lock));
  else
    sync_acquire(annotated(lock));
}
HEDDLE_EXPORT void AnnotateRWLockReleased(const char*, int, const volatile void* lock,
                                          uintptr_t exclusive) {
  if (exclusive != 0)
    sync_release(annotated(lock));
  else
    sync_release_shared(annotated(lock));
}
HEDDLE_EXPORT void __tsan_mutex_create(void* lock, unsigned) {
  sync_forget(annotated(lock));
}
HEDDLE_EXPORT void __tsan_mutex_destroy(void* lock, unsigned) {
  sync_forget(annotated(lock));
}
HEDDLE_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_lock(void* lock, unsigned flags, int) {
  if ((flags & kTryLockFailed) != 0) return;
  if ((flags & kReadLock) != 0)
    sync_acquire(annotated(lock));
  else
    sync_acquire_all(annotated(lock));
}
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void* lock, unsigned flags) {
  if ((flags & kReadLock) != 0)
    sync_release_shared(annotated(lock));
  else
    sync_release(annotated(lock));
  return 0;
}
HEDDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_signal(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_divert(void*, unsigned) {}
