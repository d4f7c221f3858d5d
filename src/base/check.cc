#include "base/check.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "base/raw_syscall.h"

namespace heddle {
namespace {

CheckDumper g_dumper = nullptr;
CheckDumper g_excuse = nullptr;
int g_output = STDERR_FILENO;

void put(const char* text) {
  raw::call(SYS_write, static_cast<uint64_t>(g_output), raw::bits(text), strlen(text));
}

// As abort() would end it, but past every handler and intercept: they may be what failed.
[[noreturn]] void die() {
  struct KernelAction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    uint64_t mask;
  } by_default{SIG_DFL, 0, nullptr, 0};
  raw::call(SYS_rt_sigaction, SIGABRT, raw::bits(&by_default), 0, sizeof(uint64_t));
  long process = raw::call(SYS_getpid), thread = raw::call(SYS_gettid);
  raw::call(SYS_tgkill, static_cast<uint64_t>(process), static_cast<uint64_t>(thread), SIGABRT);
  raw::exit_group(134);
}

}  // namespace

void set_check_dumper(CheckDumper dumper) {
  g_dumper = dumper;
}

void set_check_excuse(CheckDumper excuse) {
  g_excuse = excuse;
}

void set_check_output(int descriptor) {
  g_output = descriptor;
}

void check_failed(const char* condition, const char* file, int line) {
  if (g_excuse != nullptr) g_excuse();
  static bool failing = false;
  if (failing) die();
  failing = true;
  char digits[16];
  int at = sizeof digits;
  digits[--at] = '\0';
  do {
    digits[--at] = static_cast<char>('0' + line % 10);
    line /= 10;
  } while (line > 0 && at > 0);
  put("heddle: internal error: CHECK(");
  put(condition);
  put(") failed at ");
  put(file);
  put(":");
  put(digits + at);
  put("\nThis is a bug in Heddle, not in the tested program.\n");
  if (g_dumper != nullptr) g_dumper();
  die();
}

}  // namespace heddle
