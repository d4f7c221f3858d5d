// heddle resume: goes on with the search of a session.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "cli/check_run.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/last_check.h"
#include "cli/session_report.h"
#include "cli/standard_output.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle resume FILE [options]\n\n"
    "Goes on with the search whose session (heddle check --session=FILE) this is, in the folder\n"
    "and with the environment of then, and reports as heddle check does. The program and Heddle\n"
    "must be the same. Options count more than those of then.\n\n";

// For the program: addresses in it depend on the environment.
Result<bool> go_back(const SessionHead& head, std::vector<char*>& environment) {
  std::error_code error;
  std::filesystem::current_path(head.folder, error);
  if (error) return Error{fmt::format("cannot go to {}: {}", head.folder, error.message())};
  for (const std::string& variable : head.environment)
    environment.push_back(const_cast<char*>(variable.c_str()));
  environment.push_back(nullptr);
  environ = environment.data();
  return true;
}

}  // namespace

Result<int> resume_command(Words words) {
  CheckOptions given;
  Result<Arguments> arguments = parse_resume(words, given);
  if (!arguments) return arguments.error();
  if (arguments->help) {
    print_text(kHelp + resume_options_help());
    return kExitPass;
  }
  if (arguments->words.size() != 1) return Error{"name a session; see heddle resume --help"};
  std::error_code error;
  const std::string file = std::filesystem::absolute(arguments->words.front(), error).string();
  Result<Session> session = Session::open(file);
  if (!session) return session.error();
  // What one process has found was told when it was found.
  if (session->outcome() && session->phase() != SessionPhase::Shared) {
    print_text(session_text(*session));
    return session_exit_status(*session);
  }
  static SessionHead head;  // as long as somebody may read the environment
  static std::vector<char*> environment;
  head = session->head();
  if (Result<bool> there = go_back(head, environment); !there) return there.error();
  Result<CheckRequest> request = parse_check(head.words);
  if (!request) return request.error();
  if (Result<Arguments> rest = parse_resume(words, request->options); !rest) return rest.error();
  return run_check(*request, head.name, head.words, std::move(*session));
}

}  // namespace heddle
