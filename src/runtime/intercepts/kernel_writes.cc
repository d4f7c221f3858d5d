// Calls through which the kernel writes into the program's memory. A write-protected page makes
// them fail with EFAULT instead of faulting (page_tracker.h), so the target is opened first.
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/raw.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle {
namespace {

void open_for_kernel(void* target, size_t bytes) {
  if (g_switches.on_fiber) g_runtime.pages.prepare_write(raw::bits(target), bytes);
}

template <typename Function>
Function next(Function& cache, const char* name) {
  if (cache == nullptr) cache = reinterpret_cast<Function>(real::resolve(name));
  return cache;
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT ssize_t read(int fd, void* buffer, size_t bytes) {
  static decltype(&read) real_read;
  open_for_kernel(buffer, bytes);
  return next(real_read, "read")(fd, buffer, bytes);
}

HEDDLE_EXPORT ssize_t pread(int fd, void* buffer, size_t bytes, off_t offset) {
  static decltype(&pread) real_pread;
  open_for_kernel(buffer, bytes);
  return next(real_pread, "pread")(fd, buffer, bytes, offset);
}

HEDDLE_EXPORT ssize_t pread64(int fd, void* buffer, size_t bytes, off64_t offset) {
  static decltype(&pread64) real_pread64;
  open_for_kernel(buffer, bytes);
  return next(real_pread64, "pread64")(fd, buffer, bytes, offset);
}

HEDDLE_EXPORT ssize_t recv(int fd, void* buffer, size_t bytes, int flags) {
  static decltype(&recv) real_recv;
  open_for_kernel(buffer, bytes);
  return next(real_recv, "recv")(fd, buffer, bytes, flags);
}

HEDDLE_EXPORT int pipe(int ends[2]) {
  static int (*real_pipe)(int*);
  open_for_kernel(ends, 2 * sizeof(int));
  return next(real_pipe, "pipe")(ends);
}

HEDDLE_EXPORT int pipe2(int ends[2], int flags) {
  static int (*real_pipe2)(int*, int);
  open_for_kernel(ends, 2 * sizeof(int));
  return next(real_pipe2, "pipe2")(ends, flags);
}

HEDDLE_EXPORT int socketpair(int domain, int type, int protocol, int ends[2]) {
  static int (*real_socketpair)(int, int, int, int*);
  open_for_kernel(ends, 2 * sizeof(int));
  return next(real_socketpair, "socketpair")(domain, type, protocol, ends);
}
