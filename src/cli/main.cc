#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace {

// A file that we open must not become the standard output or error of anybody.
void open_standard_descriptors() {
  int descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
  while (descriptor >= 0 && descriptor <= 2) {
    fcntl(descriptor, F_SETFD, 0);
    descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
  }
  if (descriptor > 2) close(descriptor);
}

}  // namespace

// Build systems that take a compiler to be one word call us by the names heddle-cc and heddle-c++.
int main(int argc, char** argv) {
  open_standard_descriptors();
  std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const std::string called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (called == "heddle-cc") words.insert(words.begin(), "cc");
  if (called == "heddle-c++") words.insert(words.begin(), "c++");
  return heddle::run_command_line(words);
}
