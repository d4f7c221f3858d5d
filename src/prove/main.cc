#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "prove/options.h"
#include "prove/prove.h"
#include "prove/prune.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (heddle::prove::asks_for_pruning(words)) return heddle::prove::prune(words);
  heddle::Result<heddle::prove::ProveRequest> request = heddle::prove::parse_prove(words);
  if (request && request->options.help) {
    fmt::print("{}", heddle::prove::prove_help());
    return heddle::kExitPass;
  }
  heddle::Result<int> status =
      request ? heddle::prove::prove(*request) : heddle::Result<int>(request.error());
  if (status) return *status;
  fmt::print(stderr, "heddle: {}\n", status.error().message);
  return heddle::kExitError;
}
