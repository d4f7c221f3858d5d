#include "runtime/rewind/thread_pointer.h"

#include <asm/prctl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/auxv.h>

#include <algorithm>
#include <atomic>
#include <csignal>

#include "base/check.h"
#include "runtime/guest/end_search.h"
#include "runtime/guest/layout.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/real.h"
#include "runtime/guest/reserved.h"

namespace heddle {
namespace {

constexpr uint64_t kFsgsbaseUsable = 2;  // AT_HWCAP2 bit set by kernels that allow wrfsbase

void futex(std::atomic<uint32_t>& word, int operation, uint32_t expected) {
  raw::call(SYS_futex, raw::bits(&word), static_cast<uint64_t>(operation), expected);
}

uint64_t read_thread_pointer() {
  uint64_t self;
  asm volatile("mov %%fs:0x10, %0" : "=r"(self));  // the TCB holds its own address there
  return self;
}

struct Parking {
  std::atomic<uint32_t> ready{0};
  uint64_t pointer = 0;
  uint64_t frame = 0;
};

std::atomic<uint32_t> g_forever{0};

void* park(void* argument) {
  auto* parking = static_cast<Parking*>(argument);
  parking->pointer = read_thread_pointer();
  parking->frame = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  parking->ready.store(1);
  futex(parking->ready, FUTEX_WAKE_PRIVATE, 1);
  for (;;) futex(g_forever, FUTEX_WAIT_PRIVATE, 0);
}

}  // namespace

void ThreadPointers::initialise() {
  direct_ = (getauxval(AT_HWCAP2) & kFsgsbaseUsable) != 0;
  pointers_ = static_cast<uint64_t*>(reserve_private(kMaxThreads * sizeof(uint64_t)));
  pointers_[0] = installed_ = read_thread_pointer();
}

void ThreadPointers::install_by_system_call(uint64_t pointer) {
  raw::call(SYS_arch_prctl, ARCH_SET_FS, pointer);
}

uint64_t ThreadPointers::park_new_thread(ThreadId thread) {
  uint64_t base = kTlsBase + index(thread) * kTlsSlotBytes;
  HEDDLE_CHECK(raw::map_fixed(base, kTlsSlotBytes));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  HEDDLE_CHECK(pthread_attr_setstack(&attributes, reinterpret_cast<void*>(base), kTlsSlotBytes) ==
               0);
  // A parked thread takes no signals, except faults: while it starts, glibc may write into pages
  // that are tracked.
  uint64_t all = ~(1ull << (SIGSEGV - 1)), before = 0;
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, raw::bits(&all), raw::bits(&before), 8);
  Parking parking;
  pthread_t handle;
  if (real::pthread_create()(&handle, &attributes, park, &parking) != 0)
    cannot_run(
        "no thread could be started: a limit on threads (ulimit -u), or thread-local "
        "storage of more than 64 MiB");
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, raw::bits(&before), 0, 8);
  while (parking.ready.load() == 0) futex(parking.ready, FUTEX_WAIT_PRIVATE, 0);
  pthread_attr_destroy(&attributes);
  storage_bytes_ = std::max(storage_bytes_, base + kTlsSlotBytes - parking.frame);
  ++parked_;
  return parking.pointer;
}

uint64_t ThreadPointers::pointer_of(ThreadId thread, PageTracker* pages) {
  uint64_t& pointer = pointers_[index(thread)];
  if (pointer != 0) return pointer;
  pointer = park_new_thread(thread);
  if (pages == nullptr) return pointer;
  // The whole slot: static thread-local storage and glibc's descriptor at its upper end, and the
  // parked thread's own stack, which nobody writes any more.
  uint64_t base = kTlsBase + index(thread) * kTlsSlotBytes;
  pages->track(base, base + kTlsSlotBytes, false);
  return pointer;
}

std::pair<uint64_t, uint64_t> ThreadPointers::storage_of(ThreadId thread) const {
  if (thread == kMainThread || pointers_[index(thread)] == 0) return {0, 0};
  uint64_t end = kTlsBase + (index(thread) + 1) * kTlsSlotBytes;
  return {end - storage_bytes_, end};
}

ThreadId ThreadPointers::owner_of(uint64_t pointer) const {
  if (pointer == pointers_[0]) return kMainThread;
  if (pointer < kTlsBase || pointer >= kTlsBase + kMaxThreads * kTlsSlotBytes) return kNoThread;
  ThreadId owner{static_cast<uint32_t>((pointer - kTlsBase) / kTlsSlotBytes)};
  return pointers_[index(owner)] == pointer ? owner : kNoThread;
}

}  // namespace heddle
