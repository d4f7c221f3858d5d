// heddle::check: explores a function from inside a test of any framework.
//
//   TEST(Queue, KeepsItsElements) {
//     const heddle::check_result result = heddle::check([] {
//       Queue queue;
//       std::thread producer([&] { queue.push(1); });
//       heddle_assert(queue.pop() == 1);
//       producer.join();
//     });
//     EXPECT_TRUE(result.passed()) << result.report;
//   }
//
// The test program is started once more, under `heddle check`, with the lambda in the place of
// main: global constructors run, the framework does not. So the lambda captures nothing; what it
// needs it makes itself. In it, failures are those that Heddle knows: assert, heddle_assert,
// exceptions that leave it, deadlocks, data races; and GoogleTest's own macros, which throw there.
//
// The command is looked for in the environment variable HEDDLE, near Heddle's library if the
// program is linked with it, and in PATH. Build the test with `heddle c++`, or what it does with
// atomics and plain memory stays unseen.
#ifndef HEDDLE_CHECK_H
#define HEDDLE_CHECK_H

#if defined(__cplusplus) && __cplusplus >= 201703L && defined(__linux__)

#include <heddle/heddle.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle {

// One bug.
struct check_finding {
  std::string kind;        // "deadlock", "assertion", …
  std::string message;     // a sentence
  std::string location;    // file:line:column
  std::string schedule;    // the shortest one found, as Heddle writes them
  std::string trace_file;  // for `heddle replay`
  unsigned preemptions = 0;
};

struct check_result {
  std::string verdict = "error";  // "pass", "fail", "unknown" (a limit ended the search), "error"
  std::string guarantee;          // what was covered
  std::string error;              // why there is no verdict
  std::string report;             // for people; the error if there is one
  std::uint64_t executions = 0;
  std::vector<check_finding> findings;

  bool passed() const { return verdict == "pass"; }
  bool failed() const { return verdict == "fail"; }
  explicit operator bool() const { return passed(); }
};

namespace detail {

// What takes the place of main. A lambda that captures nothing has no state to be made.
template <typename Body>
int entry(int, char**, char**) {
  static char nothing;
  (*reinterpret_cast<Body*>(&nothing))();
  return 0;
}

// Where the executable was put. The first entry of the list is the executable.
inline std::uintptr_t load_bias() {
  std::uintptr_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
        return 1;
      },
      &bias);
  return bias;
}

inline bool in_executable(std::uintptr_t address) {
  std::pair<std::uintptr_t, bool> question(address, false);
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& asked = *static_cast<std::pair<std::uintptr_t, bool>*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const std::uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
          if (info->dlpi_phdr[i].p_type == PT_LOAD && asked.first >= begin &&
              asked.first - begin < info->dlpi_phdr[i].p_memsz)
            asked.second = true;
        }
        return 1;
      },
      &question);
  return question.second;
}

inline std::string command() {
  if (const char* chosen = std::getenv("HEDDLE"); chosen != nullptr && *chosen != '\0')
    return chosen;
  const auto near_library = reinterpret_cast<const char* (*)()>(HEDDLE_HOOK_("heddle_v1_command"));
  const char* found = near_library != nullptr ? near_library() : nullptr;
  return found != nullptr && *found != '\0' ? found : "heddle";
}

inline std::string own_path() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

// Runs the command; what it writes to standard output and standard error. Its wait status, or -1.
inline int run(const std::vector<std::string>& words, std::string& output, std::string& complaint) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::FILE* files[2] = {std::tmpfile(), std::tmpfile()};
  int status = -1;
  if (files[0] != nullptr && files[1] != nullptr) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(files[0]), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(files[1]), 2);
    // A failed expectation of GoogleTest in the lambda ends the execution.
    std::vector<char*> environment;
    for (char** variable = environ; *variable != nullptr; ++variable)
      environment.push_back(*variable);
    environment.push_back(const_cast<char*>("GTEST_THROW_ON_FAILURE=1"));
    environment.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(),
                     environment.data()) == 0)
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    posix_spawn_file_actions_destroy(&actions);
  }
  std::string* texts[2] = {&output, &complaint};
  for (int i = 0; i < 2; ++i) {
    if (files[i] == nullptr) continue;
    std::rewind(files[i]);
    char part[4096];
    for (std::size_t n; (n = std::fread(part, 1, sizeof part, files[i])) > 0;)
      texts[i]->append(part, n);
    std::fclose(files[i]);
  }
  return status;
}

// The value of a line of --output=lines.
inline std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char next = text[++i];
    if (next == 'x' && i + 2 < text.size()) {
      out += static_cast<char>(std::strtol(text.substr(i + 1, 2).c_str(), nullptr, 16));
      i += 2;
    } else {
      out += next == 'n' ? '\n' : next == 't' ? '\t' : next == 'r' ? '\r' : next;
    }
  }
  return out;
}

inline void read_line(const std::string& key, const std::string& value, check_result& result) {
  check_finding* const finding = result.findings.empty() ? nullptr : &result.findings.back();
  if (key == "verdict") result.verdict = value;
  if (key == "guarantee") result.guarantee = value;
  if (key == "report") result.report = value;
  if (key == "executions") result.executions = std::strtoull(value.c_str(), nullptr, 10);
  if (key == "finding") result.findings.push_back({value, {}, {}, {}, {}, 0});
  if (finding == nullptr) return;
  if (key == "message") finding->message = value;
  if (key == "location") finding->location = value;
  if (key == "schedule") finding->schedule = value;
  if (key == "trace_file") finding->trace_file = value;
  if (key == "preemptions")
    finding->preemptions = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
}

inline check_result read_lines(const std::string& text) {
  check_result result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    const std::string line = text.substr(at, end - at);
    const std::size_t space = line.find(' ');
    if (space != std::string::npos)
      read_line(line.substr(0, space), unescaped(line.substr(space + 1)), result);
    at = end + 1;
  }
  return result;
}

inline check_result without_verdict(std::string why) {
  check_result result;
  result.report = why;
  result.error = std::move(why);
  return result;
}

inline check_result explore(std::uintptr_t function, const std::vector<std::string>& options) {
  if (!in_executable(function))
    return without_verdict("heddle::check works for code of the executable, not of a library");
  char offset[32];
  std::snprintf(offset, sizeof offset, "--entry=0x%lx",
                static_cast<unsigned long>(function - load_bias()));
  std::vector<std::string> words = {command(), "check", "--output=lines", offset};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(own_path());
  std::string output, complaint;
  const int status = run(words, output, complaint);
  if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127 && output.empty()))
    return without_verdict("cannot run " + words[0] +
                           "; put the directory of heddle into PATH, or its path into HEDDLE");
  check_result result = read_lines(output);
  if (result.verdict != "error") return result;
  return without_verdict(complaint.empty() ? "heddle ended without a verdict" : complaint);
}

}  // namespace detail

// Explores the lambda. The options are those of `heddle check`: {"--strategy=icb", "--bound=2"}.
template <typename Body>
check_result check(Body, const std::vector<std::string>& options = {}) {
  static_assert(
      std::is_empty<Body>::value && std::is_trivially_copyable<Body>::value,
      "heddle::check explores a lambda without captures: it runs in a process of its own");
  if (heddle_running()) {  // in an execution already: this one is part of it
    detail::entry<Body>(0, nullptr, nullptr);
    check_result result;
    result.verdict = "pass";
    return result;
  }
  return detail::explore(reinterpret_cast<std::uintptr_t>(&detail::entry<Body>), options);
}

}  // namespace heddle

#endif
#endif  // HEDDLE_CHECK_H
