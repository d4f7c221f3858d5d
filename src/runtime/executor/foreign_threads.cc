#include "runtime/executor/foreign_threads.h"

#include <sys/stat.h>

#include "runtime/core/runtime.h"
#include "runtime/guest/raw.h"

namespace heddle {

bool has_foreign_threads() {
  struct stat folder;
  if (raw::call(SYS_stat, raw::bits("/proc/self/task"), raw::bits(&folder)) != 0) return false;
  const uint64_t threads = folder.st_nlink - 2;  // a folder for each
  return threads > g_runtime.thread_pointers.parked() + 1;
}

void refuse_foreign_thread() {
  unsupported("clone, or pthread_create past Heddle", kNoAddress);
}

void refuse_foreign_threads() {
  if (!g_runtime.thread_pointers.installed_here() || has_foreign_threads()) refuse_foreign_thread();
}

}  // namespace heddle
