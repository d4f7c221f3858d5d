// Borrowed thread-local storage: a real, parked thread per program thread lends its thread pointer
// to the fiber, so that errno, thread_local objects, stdio locks and C++ exceptions just work.
#pragma once

#include <cstdint>
#include <utility>

#include "base/ids.h"
#include "runtime/rewind/page_tracker.h"

namespace heddle {

class ThreadPointers {
 public:
  // Notes the main thread's own thread pointer.
  void initialise();

  // The thread pointer of `thread`; starts and parks a real thread on first use. New storage is
  // put under the tracker's care when one is given.
  uint64_t pointer_of(ThreadId thread, PageTracker* pages);

  // Makes `pointer` the thread pointer of the running kernel thread.
  void install(uint64_t pointer) {
    if (pointer == installed_) return;
    installed_ = pointer;
    if (direct_)
      asm volatile("wrfsbase %0" ::"r"(pointer) : "memory");
    else
      install_by_system_call(pointer);
  }

  // Whether the caller runs on the kernel thread that all of the program's are fibers of.
  bool installed_here() const {
    uint64_t here;
    asm("mov %%fs:0, %0" : "=r"(here));
    return here == installed_;
  }

  // Where the lent storage of `thread` lies: everything above the frame its real thread is parked
  // in. Empty for the main thread, whose storage is among the program's mappings.
  std::pair<uint64_t, uint64_t> storage_of(ThreadId thread) const;

  uint64_t parked() const { return parked_; }  // threads of the kernel beside the first one
  // Whether a pthread_t (the same number) is one of ours; kNoThread otherwise.
  ThreadId owner_of(uint64_t pointer) const;

 private:
  void install_by_system_call(uint64_t pointer);
  uint64_t park_new_thread(ThreadId thread);

  uint64_t* pointers_ = nullptr;
  uint64_t installed_ = 0;
  uint64_t parked_ = 0;
  uint64_t storage_bytes_ = 0;
  bool direct_ = false;
};

}  // namespace heddle
