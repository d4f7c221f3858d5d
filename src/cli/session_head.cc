#include "cli/session_head.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "cli/fingerprint.h"
#include "cli/text_file.h"
#include "cli/workers.h"

namespace heddle {
namespace {

// The C library decides where things lie in the program, and the items of a search name them.
std::string build_of_heddle(const std::string& library) {
  Dl_info info{};
  const bool known = dladdr(reinterpret_cast<const void*>(&std::qsort), &info) != 0;
  return fmt::format("{} ({}, {})", HEDDLE_VERSION, fingerprint_of_file(library),
                     known ? fingerprint_of_file(info.dli_fname) : "");
}

std::string version_in(const std::string& build) {
  return build.substr(0, build.find(' '));
}

}  // namespace

std::string session_complaint(const CheckOptions& options) {
  if (can_be_divided(options.run, options.run.judges_races)) return "";
  return fmt::format(
      "--session is for searches that can be divided, and {} with these options is none: use one "
      "of {}, without --keep-going, --max-executions, --coverage, --suppressions, "
      "--races=explore",
      options.run.strategy, divisible_strategies());
}

Result<SessionHead> session_head(const CheckRequest& request, const Program& program,
                                 const Target& target, std::span<const std::string> words) {
  SessionHead head;
  head.heddle = build_of_heddle(target.library);
  head.program = program.path;
  head.build = program.identity;
  head.strategy = request.options.run.strategy;
  head.name = program.name;
  std::error_code error;
  head.folder = std::filesystem::current_path(error).string();
  head.words.assign(words.begin(), words.end());
  for (char** variable = environ; *variable != nullptr; ++variable)
    head.environment.emplace_back(*variable);
  std::string read;
  for (const std::string& word : request.words) read += word + '\n';
  const ScriptFiles& scripts = request.options.scripts;
  for (const std::string& file : {request.options.properties, scripts.strategy, scripts.filter}) {
    if (file.empty()) continue;
    Result<std::string> text = read_text(file, "a file that the search depends on");
    if (!text) return text.error();
    read += *text;
  }
  head.files = fingerprint(read);
  return head;
}

std::string session_mismatch(const Session& session, const SessionHead& now) {
  const SessionHead& then = session.head();
  if (then.heddle != now.heddle)
    return fmt::format(
        "the session {} was begun by heddle {}, and this is {}{}: what one has divided the other "
        "cannot go on with",
        session.file(), version_in(then.heddle), version_in(now.heddle),
        version_in(then.heddle) == version_in(now.heddle) ? " of another build or system" : "");
  if (then.build != now.build)
    return fmt::format(
        "{} is not the program that the session {} was begun with: it was built "
        "again since",
        now.program, session.file());
  if (then.files != now.files || then.words != now.words)
    return fmt::format("the files that the command of the session {} refers to have changed",
                       session.file());
  for (const SessionLibrary& library : session.libraries())
    if (fingerprint_of_file(library.path) != library.build)
      return fmt::format("{} is not the library that the session {} was begun with", library.path,
                         session.file());
  return "";
}

}  // namespace heddle
