// heddle prove: a program of its own does the work, since it needs LLVM.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/process.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Beside this program, or where it was built.
std::string find_prover() {
  std::error_code ignored;
  const fs::path home = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place : {"heddle-prove", "../prove/heddle-prove"})
    if (fs::is_regular_file(home / place, ignored)) return (home / place).string();
  return "";
}

}  // namespace

Result<int> prove_command(Words words) {
  const std::string prover = find_prover();
  if (prover.empty())
    return Error{
        "heddle-prove is not beside heddle; it is built where LLVM 19 is installed (packages "
        "llvm-19-dev and clang-19), as ./heddle prove in the source tree does"};
  std::vector<std::string> command = {prover};
  command.insert(command.end(), words.begin(), words.end());
  return replace_process(command);
}

}  // namespace heddle
