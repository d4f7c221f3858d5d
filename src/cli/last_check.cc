#include "cli/last_check.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/write_file.h"
#include "trace/trace_format.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

fs::path file_of_last_check() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/')
    return fs::path(state) / "heddle" / "last";
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr && *home == '/' ? home : "/nonexistent") / ".local" / "state" /
         "heddle" / "last";
}

}  // namespace

// One line for the folder, one for each word.
void remember_check(Words words) {
  std::error_code ignored;
  const fs::path file = file_of_last_check();
  std::string text;
  trace_format::append_escaped(text, fs::current_path(ignored).string());
  text += '\n';
  for (const std::string& word : words) {
    trace_format::append_escaped(text, word);
    text += '\n';
  }
  fs::create_directories(file.parent_path(), ignored);
  (void)write_file(file.string(), text);
}

Result<LastCheck> last_check() {
  std::ifstream in(file_of_last_check());
  LastCheck last;
  bool good = true;
  std::string line;
  if (!std::getline(in, line)) return Error{"no check has found a bug yet; nothing to repeat"};
  good = trace_format::append_unescaped(last.folder, line);
  while (std::getline(in, line))
    good = good && trace_format::append_unescaped(last.words.emplace_back(), line);
  if (!good) return Error{fmt::format("{} is damaged", file_of_last_check().string())};
  return last;
}

}  // namespace heddle
