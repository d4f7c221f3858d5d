#include "cli/toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/compile_flags.h"
#include "cli/process.h"
#include "cli/response_file.h"
#include "cli/temporary_folder.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_value_behind(std::string_view word) {
  return is_one_of(
      word, {"-o",          "-x",       "-I",       "-D",      "-U",         "-L",
             "-l",          "-include", "-isystem", "-iquote", "-idirafter", "-imacros",
             "-isysroot",   "-MF",      "-MT",      "-MQ",     "-Xlinker",   "-Xpreprocessor",
             "-Xassembler", "-Xclang",  "-mllvm",   "-T",      "-u",         "-z",
             "-e",          "-B",       "-target",  "--param"});
}

bool ends_before_linking(std::string_view word) {
  return is_one_of(word, {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"});
}

bool is_for_linking(std::string_view word) {
  return word.starts_with("-l") || word.starts_with("-L") || word.starts_with("-Wl,") ||
         is_one_of(word,
                   {"-shared", "-static", "-static-pie", "-static-libgcc", "-static-libstdc++",
                    "-rdynamic", "-pie", "-no-pie", "-s", "-Xlinker", "-T", "-u", "-z", "-e"});
}

bool is_source(std::string_view word) {
  return language_of(word) != Language::None || word.ends_with(".i") || word.ends_with(".ii");
}

bool is_clang(const std::string& compiler) {  // perhaps behind another word, as in "ccache clang"
  return fs::path(compiler).filename().string().find("clang") != std::string::npos;
}

// Where heddle/heddle.h lies: beside the library in the build tree, or where both are installed.
// Searched last, because a directory of the system given earlier would confuse the compiler.
fs::path include_directory(const std::string& library) {
  std::error_code ignored;
  for (const char* place : {"include", "../include", "../../include"}) {
    fs::path directory = fs::path(library).parent_path() / place;
    if (fs::is_regular_file(directory / "heddle/heddle.h", ignored))
      return fs::canonical(directory, ignored);
  }
  return {};
}

// How the compiler is told to take libc++; gcc, which has no option for it, is given its
// directories.
bool may_use_libcxx(std::span<const std::string> words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "-stdlib=libc++" || word == "-nostdinc++";
  });
}

// What compilers expand in place, or turn into what they expand: accesses that nothing would tell
// of. As plain calls they come to us. strlen, which may stand in constant expressions, is always a
// call where it is not constant.
constexpr std::string_view kCalls[] = {
    "memcpy",     "memmove",     "mempcpy", "memset",  "memcmp",   "memchr",   "memrchr",
    "bcmp",       "bcopy",       "bzero",   "strcpy",  "stpcpy",   "strncpy",  "stpncpy",
    "strcat",     "strncat",     "strcmp",  "strncmp", "strchr",   "strrchr",  "strstr",
    "strpbrk",    "strspn",      "strcspn", "index",   "rindex",   "strdup",   "strndup",
    "strcasecmp", "strncasecmp", "strnlen", "sprintf", "vsprintf", "snprintf", "vsnprintf"};

// With gcc, assignments of structures are told of before they are expanded, so they should be
// expanded always: a call of memcpy would be told of once more. Loops are to stay loops.
constexpr std::string_view kBlocksOfGcc[] = {"-fno-tree-loop-distribute-patterns",
                                             "-mmemcpy-strategy=rep_byte:-1:noalign",
                                             "-mmemset-strategy=rep_byte:-1:noalign"};

// What gcc leaves out of these, a plugin of ours adds (src/plugin), which fits one version of gcc.
Words plugin_flags(const Words& compiler, const std::string& library) {
  Words question = compiler;
  question.emplace_back("-dumpfullversion");
  std::string version = output_of(question);
  while (!version.empty() && version.back() == '\n') version.pop_back();
  const fs::path plugin =
      fs::path(library).parent_path() / fmt::format("heddle-gcc-{}.so", version);
  std::error_code ignored;
  if (!fs::is_regular_file(plugin, ignored)) return {};
  return {"-fplugin=" + plugin.string()};
}

Words compiler_words(const std::string& compiler) {
  std::error_code ignored;
  return fs::exists(compiler, ignored) ? Words{compiler} : words_of(compiler);
}

Result<int> compile_one(const Toolchain& toolchain, const CompilerLine& line, size_t source,
                        const std::string& object) {
  const std::string& file = line.words[source];
  const std::string& compiler = language_of(file) == Language::C ? toolchain.c : toolchain.cxx;
  Words command = compiler_words(compiler);
  command.insert(command.end(), line.compile.begin(), line.compile.end());
  Words extra = instrumentation_flags(compiler, toolchain.library, line.words);
  command.insert(command.end(), extra.begin(), extra.end());
  command.insert(command.end(), {"-c", file, "-o", object});
  return run_process(command);
}

// The words for the linker: sources replaced by their objects, instrumentation off.
Words link_command(const Toolchain& toolchain, const CompilerLine& line, const Words& objects) {
  Words command = compiler_words(toolchain.link);
  for (size_t i = 0, next = 0; i < line.words.size(); ++i) {
    const std::string& word = line.words[i];
    if (next < line.sources.size() && line.sources[next] == i) {
      command.push_back(objects[next++]);
    } else if (is_one_of(word, {"-x", "-MF", "-MT", "-MQ"})) {
      ++i;
    } else if (word != "-fsanitize=thread" && !word.starts_with("-M")) {
      command.push_back(word);
      if (has_value_behind(word) && i + 1 < line.words.size()) command.push_back(line.words[++i]);
    }
  }
  if (line.is_partial) return command;
  std::string directory = fs::path(toolchain.library).parent_path().string();
  command.insert(command.end(), {"-L" + directory, "-lheddle", "-Wl,-rpath," + directory});
  return command;
}

}  // namespace

Words instrumentation_flags(const std::string& compiler, const std::string& library,
                            std::span<const std::string> words) {
  Words flags;
  if (fs::path directory = include_directory(library); !directory.empty()) {
    flags = {"-idirafter", directory.string(), "-isystem",
             (directory / "heddle/libstdc++").string()};
    if (!is_clang(compiler))
      flags.insert(flags.end(), {"-include", (directory / "heddle/builtins.h").string()});
    if (may_use_libcxx(words))
      flags.insert(flags.end(), {"-include", (directory / "heddle/libcxx.h").string()});
  }
  // A linker that compiles would have to instrument, too.
  flags.insert(flags.end(), {"-fsanitize=thread", "-g", "-fno-lto"});
  for (std::string_view call : kCalls) flags.push_back(fmt::format("-fno-builtin-{}", call));
  if (is_clang(compiler)) {
    flags.insert(flags.end(), {"-mllvm", "-tsan-instrument-read-before-write=1", "-mllvm",
                               "-tsan-distinguish-volatile=1"});
  } else {
    flags.push_back("--param=tsan-distinguish-volatile=1");
    flags.push_back("-Wno-tsan");  // it warns about fences, which libtsan lacks and we have
    flags.insert(flags.end(), std::begin(kBlocksOfGcc), std::end(kBlocksOfGcc));
    const Words plugin = plugin_flags(compiler_words(compiler), library);
    flags.insert(flags.end(), plugin.begin(), plugin.end());
  }
  return flags;
}

CompilerLine read_compiler_line(std::span<const std::string> words) {
  CompilerLine line;
  line.words.assign(words.begin(), words.end());
  bool stops = false, has_input = false, language_given = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    bool option = word.size() > 1 && word.starts_with('-');
    if (!option) {
      has_input = true;
      if (is_source(word) || (language_given && !is_object_file(word))) line.sources.push_back(i);
      continue;
    }
    stops = stops || ends_before_linking(word);
    line.is_partial = line.is_partial || word == "-r" || word == "-Wl,-r";
    line.is_static = line.is_static || word == "-static" || word == "-static-pie";
    language_given = language_given || word.starts_with("-x");
    bool keep = word != "-o" && !is_for_linking(word);
    if (keep) line.compile.push_back(word);
    if (!has_value_behind(word) || i + 1 == words.size()) continue;
    ++i;
    if (keep) line.compile.push_back(words[i]);
  }
  line.compiles = !line.sources.empty();
  line.links = has_input && !stops;
  return line;
}

Result<int> compile_and_link(const Toolchain& toolchain, std::span<const std::string> given) {
  const Words words = expand_response_files(given);
  CompilerLine line = read_compiler_line(words);
  if (line.links && line.is_static)
    return Error{"a statically linked program cannot be checked; link without -static"};
  if (!line.links) {
    Words command = compiler_words(toolchain.link);
    command.insert(command.end(), words.begin(), words.end());
    Words extra = instrumentation_flags(toolchain.link, toolchain.library, line.words);
    if (line.compiles) command.insert(command.end(), extra.begin(), extra.end());
    return run_process(command);
  }
  TemporaryFolder scratch("heddle-build", TemporaryFolder::Removal::WithContents);
  if (scratch.path().empty()) return TemporaryFolder::failure();
  Words objects;
  for (size_t source : line.sources) {
    std::string stem = fs::path(line.words[source]).stem().string();
    objects.push_back(fmt::format("{}/{}-{}.o", scratch.path(), objects.size(), stem));
    Result<int> status = compile_one(toolchain, line, source, objects.back());
    if (!status || *status != 0) return status;
  }
  return run_process(link_command(toolchain, line, objects));
}

}  // namespace heddle
