#include "runtime/output.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "base/check.h"
#include "runtime/runtime.h"

namespace heddle {
namespace {

constexpr size_t kMostOutput = 64 << 10;  // of a report; the rest is cut

int g_null = -1;
int g_capture = -1;

int move_up(int descriptor) {
  int high = fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstPrivateDescriptor);
  HEDDLE_CHECK(high >= 0);
  close(descriptor);
  return high;
}

void point_output_to(int descriptor) {
  dup2(descriptor, STDOUT_FILENO);
  dup2(descriptor, STDERR_FILENO);
}

void flush(FILE* stream) {
  if (ftrylockfile(stream) != 0) return;
  fflush_unlocked(stream);
  funlockfile(stream);
}

}  // namespace

void silence_output() {
  g_runtime.saved_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, kFirstPrivateDescriptor);
  if (g_runtime.saved_stderr < 0)
    cannot_run("Heddle needs file descriptors up to 1,000: raise the limit (ulimit -n 1024)");
  set_check_output(g_runtime.saved_stderr);
  g_null = open("/dev/null", O_RDWR);
  HEDDLE_CHECK(g_null >= 0);
  g_null = move_up(g_null);
  point_output_to(g_null);
}

void begin_capture() {
  g_capture = memfd_create("heddle-output", MFD_CLOEXEC);
  HEDDLE_CHECK(g_capture >= 0);
  g_capture = move_up(g_capture);
  point_output_to(g_capture);
}

std::string end_capture() {
  point_output_to(g_null);
  std::string text(kMostOutput, '\0');
  ssize_t length = pread(g_capture, text.data(), text.size(), 0);
  text.resize(length > 0 ? static_cast<size_t>(length) : 0);
  close(g_capture);
  return text;
}

void flush_program_output() {
  flush(stdout);
  flush(stderr);
}

}  // namespace heddle
