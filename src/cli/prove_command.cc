// heddle prove: a program of its own does the work, since it needs LLVM.
#include "cli/commands.h"
#include "cli/process.h"
#include "cli/prover.h"

namespace heddle {
Result<int> prove_command(Words words) {
  Result<std::string> prover = find_prover();
  if (!prover) return prover.error();
  std::vector<std::string> command = {*prover};
  command.insert(command.end(), words.begin(), words.end());
  return replace_process(command);
}

}  // namespace heddle
