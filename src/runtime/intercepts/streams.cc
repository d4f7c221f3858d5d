// Opening files, and FILEs over descriptors that connect threads or bring random numbers.
//
// libc reads and writes its FILEs by system calls that nobody sees. So a FILE over a pipe of the
// program is one whose reading and writing goes through functions of ours (fopencookie), which take
// the same steps as read and write. libc would hold the FILE's lock meanwhile, and a second thread
// that comes for it would stop the whole process: hence these FILEs have no locks, and two threads
// in one of them at the same time are refused.
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/intercepts/formats.h"
#include "runtime/objects/descriptors.h"
#include "runtime/rewind/kernel_state.h"

namespace heddle::real {
HEDDLE_REAL(open)
HEDDLE_REAL(open64)
HEDDLE_REAL(openat)
HEDDLE_REAL(openat64)
HEDDLE_REAL(fopen)
HEDDLE_REAL(fopen64)
HEDDLE_REAL(fdopen)
HEDDLE_REAL(fileno)
HEDDLE_REAL(fileno_unlocked)
}  // namespace heddle::real

extern "C" {
__attribute__((visibility("hidden"))) decltype(::read) heddle_taken_read;
__attribute__((visibility("hidden"))) decltype(::write) heddle_taken_write;
__attribute__((visibility("hidden"))) decltype(::close) heddle_taken_close;
__attribute__((visibility("hidden"))) decltype(::open) heddle_taken_open;
}

namespace heddle {
namespace {

bool is_random_device(const char* path) {
  return path != nullptr && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

int noted_open(const char* path, int descriptor, Address pc) {
  if (!explored()) return descriptor;
  if (path != nullptr) access_range(Op::Read, path, length(path) + 1, pc);
  kernel_state().descriptors_touched();
  if (descriptor >= 0 && is_random_device(path)) descriptors().set_random(descriptor);
  return descriptor;
}

int descriptor_in(void* cookie) {
  return static_cast<int>(reinterpret_cast<intptr_t>(cookie)) - 1;
}

// While one of these lives, the running thread is inside a FILE.
class InsideStream {
 public:
  explicit InsideStream(int descriptor) : stream_(*descriptors().stream(descriptor)) {
    if (!explored()) return;
    if (stream_.user != kNoThread) refuse();
    stream_.user = current_thread().id;
    position_ = writing_position();
  }
  ~InsideStream() {
    if (!explored()) return;
    if (position_ != writing_position()) refuse();  // another thread has come and gone
    stream_.user = kNoThread;
  }
  InsideStream(const InsideStream&) = delete;
  InsideStream& operator=(const InsideStream&) = delete;

 private:
  [[noreturn]] static void refuse() {
    unsupported("stdio on one FILE over a pipe or socket in two threads at once", kNoAddress);
  }
  const char* writing_position() const {
    return stream_.file == nullptr ? nullptr
                                   : static_cast<const FILE*>(stream_.file)->_IO_write_ptr;
  }
  Descriptors::Stream& stream_;
  const char* position_ = nullptr;
};

ssize_t read_stream(void* cookie, char* buffer, size_t bytes) {
  InsideStream inside(descriptor_in(cookie));
  return heddle_taken_read(descriptor_in(cookie), buffer, bytes);
}

// A cookie's function says 0 where write says -1.
ssize_t write_stream(void* cookie, const char* buffer, size_t bytes) {
  InsideStream inside(descriptor_in(cookie));
  const ssize_t written = heddle_taken_write(descriptor_in(cookie), buffer, bytes);
  return written < 0 ? 0 : written;
}

int close_stream(void* cookie) {
  return heddle_taken_close(descriptor_in(cookie));
}

FILE* make_stream(int descriptor, const char* mode) {
  auto* cookie = reinterpret_cast<void*>(static_cast<intptr_t>(descriptor) + 1);
  FILE* file = fopencookie(cookie, mode, {read_stream, write_stream, nullptr, close_stream});
  if (file == nullptr) return nullptr;
  __fsetlocking(file, FSETLOCKING_BYCALLER);
  *descriptors().stream(descriptor) = {file, kNoThread};
  return file;
}

// A FILE for a random device; other files are none of our business.
template <typename Open>
FILE* open_stream(const char* path, const char* mode, Address pc, Open really_open) {
  if (!explored()) return really_open(path, mode);
  if (g_switches.accesses != 0) {
    access_range(Op::Read, path, length(path) + 1, pc);
    access_range(Op::Read, mode, length(mode) + 1, pc);
  }
  kernel_state().descriptors_touched();
  if (!is_random_device(path) || mode[0] != 'r') return really_open(path, mode);
  const int descriptor = heddle_taken_open(path, O_RDONLY);
  return descriptor < 0 ? nullptr : make_stream(descriptor, mode);
}

template <typename Number>
int number_of(FILE* file, Number real_number) {
  if (explored() && file != nullptr)
    if (const int descriptor = descriptors().descriptor_of(file); descriptor >= 0)
      return descriptor;
  return real_number(file);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

#define OPEN(name)                                                           \
  HEDDLE_EXPORT int name(const char* path, int flags, ...) {                 \
    va_list list;                                                            \
    va_start(list, flags);                                                   \
    const mode_t mode = va_arg(list, mode_t);                                \
    va_end(list);                                                            \
    return noted_open(path, real::name()(path, flags, mode), HEDDLE_CALLER); \
  }
#define OPENAT(name)                                                                    \
  HEDDLE_EXPORT int name(int directory, const char* path, int flags, ...) {             \
    va_list list;                                                                       \
    va_start(list, flags);                                                              \
    const mode_t mode = va_arg(list, mode_t);                                           \
    va_end(list);                                                                       \
    return noted_open(path, real::name()(directory, path, flags, mode), HEDDLE_CALLER); \
  }
OPEN(open)
OPEN(open64)
HEDDLE_ALSO_LOCAL(open)
OPENAT(openat)
OPENAT(openat64)

HEDDLE_EXPORT FILE* fopen(const char* path, const char* mode) {
  return open_stream(path, mode, HEDDLE_CALLER, real::fopen());
}
HEDDLE_EXPORT FILE* fopen64(const char* path, const char* mode) {
  return open_stream(path, mode, HEDDLE_CALLER, real::fopen64());
}

HEDDLE_EXPORT FILE* fdopen(int descriptor, const char* mode) {
  if (!explored()) return real::fdopen()(descriptor, mode);
  kernel_state().descriptors_touched();
  const bool ours =
      descriptors().connects_threads(descriptor) || descriptors().is_random(descriptor);
  return ours ? make_stream(descriptor, mode) : real::fdopen()(descriptor, mode);
}

HEDDLE_EXPORT int fileno(FILE* file) {
  return number_of(file, real::fileno());
}
HEDDLE_EXPORT int fileno_unlocked(FILE* file) {
  return number_of(file, real::fileno_unlocked());
}
