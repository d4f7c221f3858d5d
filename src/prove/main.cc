#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/exit_status.h"
#include "cli/standard_output.h"
#include "prove/options.h"
#include "prove/prove.h"
#include "prove/prune.h"

namespace {

heddle::Result<int> run(const std::vector<std::string>& words) {
  heddle::Result<heddle::prove::ProveRequest> request = heddle::prove::parse_prove(words);
  if (!request) return request.error();
  if (!request->options.help) return heddle::prove::prove(*request);
  heddle::print_text(heddle::prove::prove_help());
  return heddle::kExitPass;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (heddle::prove::asks_for_pruning(words)) return heddle::prove::prune(words);
  return heddle::closing_status(run(words));
}
