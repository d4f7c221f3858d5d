#include "runtime/rewind/output.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/check.h"
#include "runtime/guest/end_search.h"
#include "runtime/guest/raw.h"

namespace heddle {
namespace {

constexpr size_t kMostOutput = 64 << 10;  // of a report; the rest is cut

int g_null = -1;
int g_saved_error = -1;
int g_capture = -1;  // -1: nothing is kept

long moved_up(long descriptor) {
  const long high = raw::call(SYS_fcntl, static_cast<uint64_t>(descriptor), F_DUPFD_CLOEXEC,
                              kFirstPrivateDescriptor);
  HEDDLE_CHECK(high >= 0);
  raw::call(SYS_close, static_cast<uint64_t>(descriptor));
  return high;
}

void point_output_to(int descriptor) {
  raw::call(SYS_dup3, static_cast<uint64_t>(descriptor), STDOUT_FILENO, 0);
  raw::call(SYS_dup3, static_cast<uint64_t>(descriptor), STDERR_FILENO, 0);
}

void flush(FILE* stream) {
  if (ftrylockfile(stream) != 0) return;
  fflush_unlocked(stream);
  funlockfile(stream);
}

}  // namespace

void silence_output() {
  const long copy = raw::call(SYS_fcntl, STDERR_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateDescriptor);
  if (copy == -EINVAL || copy == -EMFILE)
    cannot_run("Heddle needs file descriptors up to 1,000: raise the limit (ulimit -n 1024)");
  g_saved_error = static_cast<int>(copy);
  set_check_output(g_saved_error);
  const long null = raw::call(SYS_openat, static_cast<uint64_t>(AT_FDCWD), raw::bits("/dev/null"),
                              O_RDWR | O_CLOEXEC);
  HEDDLE_CHECK(null >= 0);
  g_null = static_cast<int>(moved_up(null));
  point_output_to(g_null);
}

int saved_error_output() {
  return g_saved_error;
}

void begin_capture() {
  const long file = raw::call(SYS_memfd_create, raw::bits("heddle-output"), MFD_CLOEXEC);
  HEDDLE_CHECK(file >= 0);
  g_capture = static_cast<int>(moved_up(file));
  point_output_to(g_capture);
}

std::string end_capture() {
  point_output_to(g_null);
  std::string text(kMostOutput, '\0');
  const long length = raw::call(SYS_pread64, static_cast<uint64_t>(g_capture),
                                raw::bits(text.data()), text.size(), 0);
  text.resize(length > 0 ? static_cast<size_t>(length) : 0);
  raw::call(SYS_close, static_cast<uint64_t>(g_capture));
  g_capture = -1;
  return text;
}

void renew_output() {
  if (g_capture >= 0) point_output_to(g_capture);
}

void flush_program_output() {
  flush(stdout);
  flush(stderr);
}

}  // namespace heddle
