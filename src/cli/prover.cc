#include "cli/prover.h"

#include <filesystem>

namespace heddle {

namespace fs = std::filesystem;

Result<std::string> find_prover() {
  std::error_code ignored;
  const fs::path home = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place : {"heddle-prove", "../prove/heddle-prove"})
    if (fs::is_regular_file(home / place, ignored)) return (home / place).string();
  return Error{
      "heddle-prove is not beside heddle; it is built where LLVM 19 is installed (packages "
      "llvm-19-dev and clang-19), as ./heddle prove in the source tree does"};
}

}  // namespace heddle
