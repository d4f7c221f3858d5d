// How to compile and link a program so that its memory accesses reach us: the compiler's own
// ThreadSanitizer instrumentation, linked with libheddle in place of libtsan.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/result.h"

namespace heddle {

// Compilers may have words in front or behind, as in "ccache gcc".
struct Toolchain {
  std::string c = "gcc";     // compiles .c
  std::string cxx = "g++";   // compiles everything else
  std::string link = "gcc";  // links
  std::string library;       // path of libheddle.so
};

// What a compiler's command line asks for.
struct CompilerLine {
  bool links = false;     // goes on to link, and has something to link
  bool compiles = false;  // names at least one source
  bool is_static = false;
  bool is_partial = false;  // makes one object file of several (-r)
  std::vector<std::string> words;
  std::vector<size_t> sources;       // positions in `words`
  std::vector<std::string> compile;  // the words that matter for compiling a source
};

CompilerLine read_compiler_line(std::span<const std::string> words);

// What is added to the words for compiling.
std::vector<std::string> instrumentation_flags(const std::string& compiler,
                                               const std::string& library,
                                               std::span<const std::string> words);

// Does what `compiler WORDS` would, instrumented; returns the compiler's exit status.
Result<int> compile_and_link(const Toolchain& toolchain, std::span<const std::string> words);

}  // namespace heddle
