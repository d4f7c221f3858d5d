// heddle last: repeats the last check that found a bug.
#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/last_check.h"
#include "cli/project.h"
#include "cli/standard_output.h"
#include "report/text_report.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle last [options]\n\n"
    "Repeats the last heddle check of this user that found a bug, in the folder where it was "
    "made,\n"
    "compiling its sources anew. Options of heddle check count more than those of then.\n";

}  // namespace

Result<int> last_command(Words words) {
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    print_text(kHelp);
    return kExitPass;
  }
  Result<LastCheck> last = last_check();
  if (!last) return last.error();
  std::error_code error;
  std::filesystem::current_path(last->folder, error);
  if (error) return Error{fmt::format("cannot go to {}: {}", last->folder, error.message())};
  // Those of now first, and of then what they do not replace.
  std::vector<std::string> given(words.begin(), words.end());
  std::vector<std::string> kept;
  bool arguments = false;
  for (const std::string& word : last->words) {
    arguments = arguments || word == "--";
    bool replaced = false;
    for (const std::string& other : given)
      replaced |= word.starts_with("--") &&
                  word.substr(0, word.find('=')) == other.substr(0, other.find('='));
    if (arguments || !replaced) kept.push_back(word);
  }
  given.insert(given.end(), kept.begin(), kept.end());
  std::string command = "heddle check";
  for (const std::string& word : given) command += ' ' + shell_word(word);
  print_error("heddle: in {}: {}\n", last->folder, command);
  return check_command(given);
}

}  // namespace heddle
