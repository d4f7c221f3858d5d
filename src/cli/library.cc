#include "cli/library.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace heddle {
namespace fs = std::filesystem;
namespace {

fs::path home_of_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

Result<std::string> find_library() {
  std::error_code ignored;
  if (const char* chosen = std::getenv("HEDDLE_LIBRARY")) {
    if (!fs::is_regular_file(chosen, ignored))
      return Error{fmt::format("HEDDLE_LIBRARY names {}, which is not a file", chosen)};
    return fs::canonical(chosen, ignored).string();
  }
  fs::path home = home_of_program();
  for (const char* place : {"../runtime", "../lib", "../lib/x86_64-linux-gnu", "../lib64", "."}) {
    fs::path candidate = home / place / "libheddle.so";
    if (fs::is_regular_file(candidate, ignored)) return fs::canonical(candidate, ignored).string();
  }
  return Error{fmt::format(
      "libheddle.so is not near {}; set HEDDLE_LIBRARY to its path, or install Heddle again",
      home.string())};
}

Result<std::string> find_shared_file(const std::string& name) {
  std::error_code ignored;
  fs::path home = home_of_program();
  for (const char* place : {"../share/heddle", "."}) {
    fs::path candidate = home / place / name;
    if (fs::is_regular_file(candidate, ignored)) return fs::canonical(candidate, ignored).string();
  }
  return Error{fmt::format("{} is not near {}; install Heddle again", name, home.string())};
}

}  // namespace heddle
