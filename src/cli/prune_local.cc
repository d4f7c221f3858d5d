#include "cli/prune_local.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/compile_flags.h"
#include "cli/process.h"
#include "cli/prover.h"
#include "cli/response_file.h"
#include "cli/temporary_folder.h"
#include "cli/toolchain.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

// The words that mean something for machine code made from bitcode.
bool is_for_code(const std::string& word) {
  return word.starts_with("-O") || word.starts_with("-f") || word.starts_with("-m") ||
         word.starts_with("-g");
}

std::string complaint_about(const CompilerLine& line) {
  if (!line.links || !line.compiles)
    return "--prune-local needs the whole program in one command: name all sources and link";
  if (line.is_static) return "a statically linked program cannot be checked; link without -static";
  for (const std::string& word : line.words)
    if (!word.starts_with('-') && is_object_file(word))
      return fmt::format(
          "--prune-local needs the source of all of the program; {} may touch what the sources "
          "keep to one thread",
          word);
  return "";
}

// The sources are one object file, in the place of the first of them.
Words link_words(const CompilerLine& line, const std::string& object) {
  Words words;
  for (size_t i = 0; i < line.words.size(); ++i) {
    if (std::find(line.sources.begin(), line.sources.end(), i) == line.sources.end())
      words.push_back(line.words[i]);
    else if (i == line.sources.front())
      words.push_back(object);
  }
  return words;
}

}  // namespace

Result<int> compile_pruned(std::span<const std::string> given, const std::string& library,
                           bool cxx) {
  const CompilerLine line = read_compiler_line(expand_response_files(given));
  if (std::string complaint = complaint_about(line); !complaint.empty()) return Error{complaint};
  Result<std::string> prover = find_prover();
  if (!prover) return prover.error();
  const std::string compiler = cxx ? "clang++-19" : "clang-19";
  TemporaryFolder scratch("heddle-build", TemporaryFolder::Removal::WithContents);
  if (scratch.path().empty()) return TemporaryFolder::failure();
  const std::string bitcode = scratch.path() + "/program.bc",
                    object = scratch.path() + "/program.o";
  const Words extra = instrumentation_flags(compiler, library, line.words);

  Words analysis = {*prover, "--prune-to=" + bitcode};
  for (size_t source : line.sources) analysis.push_back(line.words[source]);
  analysis.insert(analysis.end(), line.compile.begin(), line.compile.end());
  for (const std::string& word : extra) analysis.push_back(word);
  Result<int> status = run_process(analysis);
  if (!status || *status != 0) return status;

  Words code = {compiler, "-fsanitize=thread",
                "-mllvm", "-tsan-instrument-read-before-write=1",
                "-mllvm", "-tsan-distinguish-volatile=1"};
  std::copy_if(line.compile.begin(), line.compile.end(), std::back_inserter(code), is_for_code);
  code.insert(code.end(), {"-c", bitcode, "-o", object});
  status = run_process(code);
  if (!status || *status != 0) return status;
  return compile_and_link({compiler, compiler, compiler, library}, link_words(line, object));
}

}  // namespace heddle
