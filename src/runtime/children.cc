#include "runtime/children.h"

#include <sys/wait.h>

#include <string>

namespace heddle {

Failure death_of(int status) {
  Failure failure;
  failure.kind = FindingKind::Death;
  failure.message = WIFSIGNALED(status)
                        ? "the process is killed by signal " + std::to_string(WTERMSIG(status))
                        : "the process ends with status " + std::to_string(WEXITSTATUS(status)) +
                              " behind Heddle's back";
  return failure;
}

}  // namespace heddle
