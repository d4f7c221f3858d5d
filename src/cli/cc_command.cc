// heddle cc, heddle c++: a compiler in front of which the instrumentation has been put.
#include <fmt/format.h>

#include <cstdlib>

#include "cli/commands.h"
#include "cli/compile_flags.h"
#include "cli/library.h"
#include "cli/prune_local.h"
#include "cli/standard_output.h"
#include "cli/toolchain.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle cc  [compiler options] FILES…\n"
    "       heddle c++ [compiler options] FILES…\n\n"
    "Calls gcc (or $HEDDLE_CC) or g++ (or $HEDDLE_CXX) with the options given, so that the "
    "program\n"
    "reports its memory accesses and atomic operations to Heddle. Use it in place of the "
    "compiler:\n\n"
    "  make CC=heddle-cc CXX=heddle-c++\n"
    "  CC=heddle-cc CXX=heddle-c++ cmake -B build\n"
    "  ./configure CC=heddle-cc CXX=heddle-c++\n"
    "  heddle c++ -O1 -pthread queue.cc -o queue && heddle check --visible=all ./queue\n\n"
    "With --prune-local as the first word the whole program, whose sources must all be named, is\n"
    "compiled by clang 19 without the accesses that no other thread can notice.\n"
    "With --flags alone it prints the words that it adds for compiling, one in a line.\n";

Result<int> compile_with(Words words, Language language, const char* variable,
                         const char* otherwise) {
  if (words.empty() || words.front() == "--help") {
    print_text(kHelp);
    return words.empty() ? 2 : 0;
  }
  const char* chosen = std::getenv(variable);
  std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : otherwise;
  Result<std::string> library = find_library();
  if (!library) return library.error();
  if (words.front() == "--flags") {
    for (const std::string& flag : instrumentation_flags(compiler, *library, words))
      print_output("{}\n", flag);
    return 0;
  }
  if (words.front() == "--prune-local")
    return compile_pruned(words.subspan(1), *library, language == Language::Cxx);
  return compile_and_link({compiler, compiler, compiler, *library}, words);
}

}  // namespace

Result<int> cc_command(Words words) {
  return compile_with(words, Language::C, "HEDDLE_CC", "gcc");
}
Result<int> cxx_command(Words words) {
  return compile_with(words, Language::Cxx, "HEDDLE_CXX", "g++");
}

}  // namespace heddle
