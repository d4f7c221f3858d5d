// heddle check: which program to check, and with what options.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/check_options.h"
#include "cli/check_run.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/last_check.h"
#include "cli/outputs.h"
#include "cli/project.h"
#include "cli/standard_output.h"

namespace heddle {
namespace {

Result<int> check_one(Words words, const std::string& name) {
  Result<CheckRequest> request = parse_check(words);
  if (!request) return request.error();
  if (!request->options.help) return run_check(*request, name, words);
  print_text(check_help());
  return kExitPass;
}

// A session is for one search.
std::vector<std::string> without_session(Words words) {
  std::vector<std::string> rest;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      rest.insert(rest.end(), words.begin() + static_cast<ptrdiff_t>(i), words.end());
      break;
    }
    if (words[i] == "--session")
      ++i;
    else if (!words[i].starts_with("--session="))
      rest.push_back(words[i]);
  }
  return rest;
}

// For heddle last.
Result<int> check_and_remember(Words words, const std::string& name = "") {
  Result<int> status = check_one(words, name);
  if (status && *status == kExitFail) remember_check(without_session(words));
  return status;
}

// The worst of them: an error, a bug, undecided, clean.
int worse(int a, int b) {
  auto rank = [](int status) {
    return status == kExitError ? 3 : status == kExitFail ? 2 : status == kExitUnknown ? 1 : 0;
  };
  return rank(a) >= rank(b) ? a : b;
}

// A mistake that is not in the words of the command line, with the file that it is in.
std::string mistake_in(const Project& project, Words all, Words words) {
  Result<CheckRequest> given = parse_check(words, Inputs::Optional);
  Result<CheckRequest> request = parse_check(all, Inputs::Optional);
  if (!given) return "";
  if (!request) return fmt::format("{}: {}", project.file, request.error().message);
  if (request->options.help && !given->options.help)
    return fmt::format("{}: --help belongs on the command line", project.file);
  return "";
}

// One after the other, in the folder of the project.
Result<int> check_targets(const Project& project, const CheckRequest& request, Words words) {
  const bool speaks = std::any_of(
      request.options.output.outputs.begin(), request.options.output.outputs.end(),
      [](const Output& output) { return output.file.empty() && output.kind != OutputKind::Text; });
  if (speaks && project.targets.size() > 1)
    return Error{
        "several targets cannot all write to standard output; name a folder, as in "
        "--output=json:reports/"};
  if (!request.options.session.empty() && project.targets.size() > 1)
    return Error{"a session is for one program, and there are several targets; name one"};
  std::error_code error;
  for (const Output& output : request.options.output.outputs)
    if (project.targets.size() > 1 && !output.file.empty() && !output.file.ends_with('/') &&
        !std::filesystem::is_directory(output.file, error))
      return Error{fmt::format(
          "several targets cannot all write to {}; name a folder, as in --output=json:reports/",
          output.file)};
  std::filesystem::current_path(project.folder, error);
  if (error) return Error{fmt::format("cannot go to {}: {}", project.folder, error.message())};
  int status = kExitPass;
  for (const ProjectTarget& target : project.targets) {
    if (!speaks) print_output("{}:\n", target.name);
    const std::vector<std::string> all = words_for(project, target, words);
    const std::string mistake = mistake_in(project, all, words);
    Result<int> one =
        mistake.empty() ? check_and_remember(all, target.name) : Result<int>(Error{mistake});
    flush_output();
    if (!one) print_error("heddle: {}: {}\n", target.name, one.error().message);
    status = worse(status, one ? *one : kExitError);
  }
  return status;
}

}  // namespace

Result<int> check_command(Words words) {
  Result<FoundProject> found = find_project();
  if (!found) return found.error();
  if (!found->not_read.empty())
    print_error("heddle: {} belongs to another user and is not read\n", found->not_read);
  if (!found->project) return check_and_remember(words);
  const Project& project = *found->project;
  Result<CheckRequest> request = parse_check(words, Inputs::Optional);
  if (!request) return request.error();
  const bool targets = request->inputs.empty() && !request->options.help;
  if (targets && !project.targets.empty()) return check_targets(project, *request, words);
  const std::vector<std::string> all = with_defaults(project.options, words);
  if (std::string mistake = mistake_in(project, all, words); !mistake.empty())
    return Error{mistake};
  return check_and_remember(all);
}

}  // namespace heddle
