#include "cli/process.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace heddle {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& command) {
  std::vector<char*> result;
  for (const std::string& word : command) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

Error cannot_run(const std::string& program, int cause) {
  return Error{fmt::format("cannot run {}: {}", program, std::strerror(cause))};
}

}  // namespace

Result<int> run_process(const std::vector<std::string>& command) {
  std::vector<char*> argv = pointers(command);
  pid_t pid = 0;
  if (int cause = posix_spawnp(&pid, argv[0], nullptr, nullptr, argv.data(), environ))
    return cannot_run(command[0], cause);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return cannot_run(command[0], errno);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Error replace_process(const std::vector<std::string>& command) {
  std::vector<char*> argv = pointers(command);
  execvp(argv[0], argv.data());
  return cannot_run(command[0], errno);
}

}  // namespace heddle
