#include "base/check.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace heddle {
namespace {

CheckDumper g_dumper = nullptr;
int g_output = STDERR_FILENO;

void put(const char* text) {
  if (write(g_output, text, strlen(text)) < 0) return;
}

}  // namespace

void set_check_dumper(CheckDumper dumper) { g_dumper = dumper; }

void set_check_output(int descriptor) { g_output = descriptor; }

void check_failed(const char* condition, const char* file, int line) {
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
  abort();
}

}  // namespace heddle
