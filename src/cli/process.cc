#include "cli/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/file_descriptor.h"

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

std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  FileDescriptor from(ends[0]), to(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv = pointers(command);
  pid_t pid = 0;
  const int cause = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (cause != 0) return "";
  to = FileDescriptor();
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(from.get(), buffer, sizeof buffer)) != 0;) {
    if (got > 0) text.append(buffer, static_cast<size_t>(got));
    if (got < 0 && errno != EINTR) break;
  }
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

Error replace_process(const std::vector<std::string>& command) {
  std::vector<char*> argv = pointers(command);
  execvp(argv[0], argv.data());
  return cannot_run(command[0], errno);
}

}  // namespace heddle
