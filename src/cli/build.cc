#include "cli/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/compile_flags.h"
#include "cli/fingerprint.h"
#include "cli/program_cache.h"
#include "cli/standard_output.h"
#include "cli/toolchain.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

bool is_source(const std::string& file) {
  return language_of(file) != Language::None;
}

std::string from_environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

Toolchain toolchain_for(const CheckRequest& request, const std::string& library) {
  bool clang = request.options.compiler == "clang";
  Toolchain toolchain;
  toolchain.c = clang ? "clang" : from_environment("HEDDLE_CC", "gcc");
  toolchain.cxx = clang ? "clang++" : from_environment("HEDDLE_CXX", "g++");
  bool any_cxx =
      std::any_of(request.inputs.begin(), request.inputs.end(),
                  [](const std::string& file) { return language_of(file) == Language::Cxx; });
  toolchain.link = any_cxx ? toolchain.cxx : toolchain.c;
  toolchain.library = library;
  return toolchain;
}

// Where every access is a step, every access of the source must be one of the program, whatever
// level the user's flags ask for: an optimiser folds reads.
std::vector<std::string> flags_of(const CheckRequest& request) {
  std::vector<std::string> flags = request.compile_flags;
  if (request.options.run.visible == Visible::All) flags.emplace_back("-O0");
  return flags;
}

// One name for the same sources with the same flags.
std::string program_name(const CheckRequest& request, const Toolchain& toolchain) {
  std::string key = toolchain.c + '\n' + toolchain.cxx + '\n';
  std::error_code ignored;
  for (const std::string& file : request.inputs) key += fs::absolute(file, ignored).string() + '\n';
  for (const std::string& flag : flags_of(request)) key += flag + '\n';
  return fmt::format("{}-{}", fs::path(request.inputs.front()).stem().string(), fingerprint(key));
}

std::string input_complaint(const CheckRequest& request) {
  for (const std::string& file : request.inputs) {
    if (!is_source(file) && !is_object_file(file))
      return fmt::format(
          "{} is not a source file; arguments of the program follow \"--\", as in: heddle check "
          "{} -- {}",
          file, request.inputs.front(), file);
    if (std::string complaint = unreadable_source(file); !complaint.empty()) return complaint;
  }
  return "";
}

}  // namespace

std::string unreadable_source(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found)
    return fmt::format("there is no file {}; check the path", file);
  if (fs::is_directory(status)) return fmt::format("{} is a directory; name source files", file);
  if (!error && access(file.c_str(), R_OK) == 0) return "";
  return fmt::format("cannot read {}: {}", file, error ? error.message() : std::strerror(errno));
}

bool names_sources(const CheckRequest& request) {
  return std::any_of(request.inputs.begin(), request.inputs.end(), is_source);
}

Result<std::string> build_program(const CheckRequest& request, const std::string& library) {
  if (std::string complaint = input_complaint(request); !complaint.empty()) return Error{complaint};
  Result<std::string> directory = cache_folder();
  if (!directory) return directory.error();
  Toolchain toolchain = toolchain_for(request, library);
  std::string program = (fs::path(*directory) / program_name(request, toolchain)).string();
  std::string unfinished = fmt::format("{}.{}", program, getpid());

  std::vector<std::string> words = {"-O1", "-g", "-fno-omit-frame-pointer", "-pthread"};
  // Nobody calls the functions of a property file.
  if (!request.options.properties.empty() && request.options.compiler == "gcc" &&
      from_environment("HEDDLE_CC", "gcc") == "gcc")
    words.emplace_back("-fkeep-static-functions");
  words.insert(words.end(), request.inputs.begin(), request.inputs.end());
  const std::vector<std::string> flags = flags_of(request);
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-o", unfinished});
  flush_output();
  Result<int> status = compile_and_link(toolchain, words);
  if (!status) return status.error();
  if (*status != 0)
    return Error{fmt::format("{} does not compile; the compiler's messages are above",
                             fmt::join(request.inputs, " "))};
  if (std::rename(unfinished.c_str(), program.c_str()) != 0)
    return Error{fmt::format("cannot write {}: {}", program, std::strerror(errno))};
  trim_cache(*directory, program);
  return program;
}

}  // namespace heddle
