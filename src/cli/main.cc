#include <filesystem>
#include <string>
#include <vector>

#include "cli/commands.h"

// Build systems that take a compiler to be one word call us by the names heddle-cc and heddle-c++.
int main(int argc, char** argv) {
  std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const std::string called = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  if (called == "heddle-cc") words.insert(words.begin(), "cc");
  if (called == "heddle-c++") words.insert(words.begin(), "c++");
  return heddle::run_command_line(words);
}
