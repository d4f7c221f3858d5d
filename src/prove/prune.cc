#include "prove/prune.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/compile_flags.h"
#include "cli/exit_status.h"
#include "cli/standard_output.h"
#include "frontend/prune.h"

namespace heddle::prove {
namespace {

constexpr std::string_view kOption = "--prune-to=";

}  // namespace

bool asks_for_pruning(std::span<const std::string> words) {
  return !words.empty() && words.front().starts_with(kOption);
}

int prune(std::span<const std::string> words) {
  frontend::Options options;
  for (const std::string& word : words.subspan(1))
    (!word.starts_with('-') && language_of(word) != Language::None ? options.sources
                                                                   : options.flags)
        .push_back(word);
  const frontend::Pruned pruned = frontend::prune(options, words.front().substr(kOption.size()));
  if (!pruned.made) {
    print_error("heddle: {}\n", pruned.sentence);
    return kExitError;
  }
  print_error("heddle: {} of {} accesses are of one thread only, or to what is only read\n",
              pruned.pruned, pruned.accesses);
  return kExitPass;
}

}  // namespace heddle::prove
