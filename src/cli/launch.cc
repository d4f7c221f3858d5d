#include "cli/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "channel/channel.h"

namespace heddle {
namespace {

constexpr std::string_view kNoRseq = "glibc.pthread.rseq=0";

// The value of `name` in "name=value", or nullptr.
const char* value_of(std::string_view name, const char* assignment) {
  std::string_view text(assignment);
  if (!text.starts_with(name) || text.size() <= name.size() || text[name.size()] != '=')
    return nullptr;
  return assignment + name.size() + 1;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

// What the child says when it fails before the program runs.
struct Failed {
  int cause = 0;
  bool by_scratch = false;
};

// In the child, between fork and exec. Returns only when something failed.
void become(const std::string& program, char** arguments, char** environment, pid_t supervisor) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);
  setpgid(0, 0);
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0) return;
  if (null != STDIN_FILENO) close(null);
  execve(program.c_str(), arguments, environment);
}

}  // namespace

bool switch_randomisation_off() {
  int now = personality(0xffffffff);
  return now != -1 && personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) != -1;
}

std::vector<std::string> target_environment(const char* const* inherited,
                                            const std::string& library, int channel_fd) {
  std::string preload = library, tunables(kNoRseq);
  std::vector<std::string> result;
  for (; *inherited != nullptr; ++inherited) {
    if (const char* value = value_of("LD_PRELOAD", *inherited)) {
      if (*value != '\0') preload += fmt::format(":{}", value);
    } else if (const char* old = value_of("GLIBC_TUNABLES", *inherited)) {
      if (*old != '\0') tunables = fmt::format("{}:{}", old, kNoRseq);
    } else if (!value_of("LD_BIND_NOW", *inherited) && !value_of(kChannelEnv, *inherited)) {
      result.emplace_back(*inherited);
    }
  }
  result.push_back("LD_PRELOAD=" + preload);
  result.push_back("GLIBC_TUNABLES=" + tunables);
  result.push_back("LD_BIND_NOW=1");
  result.push_back(fmt::format("{}={}", kChannelEnv, channel_fd));
  return result;
}

Result<ScratchPlace> prepare_scratch(const std::string& names, Target& target) {
  if (names.empty()) return ScratchPlace();
  Result<std::vector<std::string>> directories = scratch_directories(names);
  if (!directories) return directories.error();
  Result<ScratchPlace> place = ScratchPlace::create();
  if (!place) return place;
  target.scratch = std::move(*directories);
  target.scratch_place = place->path();
  return place;
}

Result<Child> launch(const Target& target, ChannelFile& channel) {
  std::vector<std::string> arguments = target.arguments;
  arguments.insert(arguments.begin(), target.name.empty() ? target.program : target.name);
  std::vector<std::string> environment = target_environment(environ, target.library, channel.fd());
  std::vector<char*> argv = pointers(arguments), envp = pointers(environment);

  int pipe_ends[2];  // carries what failed, if anything; closed by exec otherwise
  if (pipe2(pipe_ends, O_CLOEXEC) != 0)
    return Error{fmt::format("cannot create a pipe: {}", std::strerror(errno))};
  FileDescriptor read_end(pipe_ends[0]);
  pid_t supervisor = getpid();
  pid_t pid = fork();
  if (pid == 0) {
    Failed failed;
    if (!target.scratch.empty())
      failed.cause = enter_scratch(target.scratch, target.scratch_place, channel.header().scratch);
    failed.by_scratch = failed.cause != 0;
    if (failed.cause == 0) {
      become(target.program, argv.data(), envp.data(), supervisor);
      failed.cause = errno;
    }
    if (write(pipe_ends[1], &failed, sizeof failed) < 0) _exit(126);
    _exit(127);
  }
  close(pipe_ends[1]);
  if (pid < 0) return Error{fmt::format("cannot start a process: {}", std::strerror(errno))};

  Failed failed;
  if (read(read_end.get(), &failed, sizeof failed) == sizeof failed) {
    waitpid(pid, nullptr, 0);
    if (failed.by_scratch) return Error{scratch_complaint(target.scratch, failed.cause)};
    return Error{fmt::format("cannot run {}: {}", target.program, std::strerror(failed.cause))};
  }
  setpgid(pid, pid);  // whoever comes first
  Child child;
  child.pid = pid;
  child.pidfd = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  return child;
}

}  // namespace heddle
