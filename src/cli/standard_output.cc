#include "cli/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "cli/exit_status.h"

namespace heddle {
namespace {

std::optional<int> first_cause;  // errno of the first loss; buffers make it known late

void remember(bool done) {
  if (!done && !first_cause) first_cause = errno;
}

}  // namespace

void print_text(std::string_view given) {
  const std::string text = harmless(given);
  remember(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void print_error_text(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void flush_output() {
  remember(std::fflush(stdout) == 0);
}

int closing_status(Result<int> status) {
  flush_output();
  if (!status) print_error("heddle: {}\n", status.error().message);
  if (first_cause)
    print_error("heddle: cannot write to standard output: {}\n", std::strerror(*first_cause));
  return status && !first_cause ? *status : kExitError;
}

}  // namespace heddle
