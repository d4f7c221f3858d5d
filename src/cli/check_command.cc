// heddle check: build if need be, look at the program, explore it under supervision, report.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/build.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "cli/last_check.h"
#include "cli/library.h"
#include "cli/outputs.h"
#include "cli/program.h"
#include "cli/project.h"
#include "cli/run.h"
#include "cli/standard_output.h"
#include "strategies/combinations.h"
#include "strategies/registry.h"

namespace heddle {
namespace {

Result<std::string> program_of(const CheckRequest& request, const std::string& library) {
  if (names_sources(request)) return build_program(request, library);
  if (request.inputs.size() > 1)
    return Error{fmt::format(
        "more than one program is named ({} and {}); arguments of the program follow \"--\"",
        request.inputs[0], request.inputs[1])};
  if (!request.compile_flags.empty())
    return Error{fmt::format("{} is for the compiler, but no source file is named",
                             request.compile_flags.front())};
  return request.inputs.front();
}

// The portfolio is made of reductions; where they cannot be used, icb takes its place.
Result<RunResult> explore_or_enumerate(const Program& program, const Target& target,
                                       CheckOptions options) {
  Result<RunResult> result = explore(program, target, options);
  const StrategyInfo* strategy = strategy_of(options.run);
  if (result || !strategy->has(strategy_property::Fallback)) return result;
  const Limitation limitation = result.error().limitation;
  if (limitation == Limitation::None) return result;
  name_strategy(options.run, StrategyId::icb);
  options.run.blocking = Blocking::Wait;
  options.run.equivalence = Equivalence::Mazurkiewicz;
  result = explore(program, target, options);
  if (result)
    result->notes.push_back(fmt::format("{}: searched with {}, not the {}",
                                        limitation_info(limitation).reason, options.run.strategy,
                                        strategy->name));
  return result;
}

// `name` is what reports and traces are called after; "" for that of the program.
Result<int> check_one(Words words, const std::string& name) {
  Result<CheckRequest> request = parse_check(words);
  if (!request) return request.error();
  const CheckOptions& options = request->options;
  if (options.help) {
    print_text(check_help());
    return 0;
  }
  if (std::string complaint = environment_complaint(); !complaint.empty()) return Error{complaint};
  Result<std::string> library = find_library();
  if (!library) return library.error();
  Result<std::string> path = program_of(*request, *library);
  if (!path) return path.error();
  Result<Program> program = inspect_program(*path);
  if (!program) return program.error();
  if (names_sources(*request))
    program->name = std::filesystem::path(request->inputs.front()).stem().string();
  if (!name.empty()) program->name = name;
  if (options.run.visible == Visible::All && !program->instrumented)
    return Error{fmt::format(
        "{} does not report its memory accesses, so --visible=all cannot work; compile it with "
        "heddle cc or heddle c++, or name its sources",
        *path)};

  Target target{program->path, request->arguments, *library, {}, {}, {}, *path};
  if (!options.properties.empty()) {
    Result<std::vector<Property>> properties = read_properties(options.properties);
    if (!properties) return properties.error();
    target.properties = std::move(*properties);
  }
  Result<ScratchPlace> place = prepare_scratch(options.scratch, target);
  if (!place) return place.error();
  Result<OpenOutputs> outputs = OpenOutputs::open(options.output, program->name, request->inputs);
  if (!outputs) return outputs.error();
  Result<RunResult> result = explore_or_enumerate(*program, target, options);
  if (!result) return result.error();
  const OpenOutputs::Delivery delivery = outputs->deliver(*result);
  print_text(delivery.text);
  if (!delivery.complaint.empty()) return Error{delivery.complaint};
  if (!result->lost.empty()) return Error{result->lost};
  return exit_status(result->verdict);
}

// For heddle last.
Result<int> check_and_remember(Words words, const std::string& name = "") {
  Result<int> status = check_one(words, name);
  if (status && *status == kExitFail) remember_check(words);
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
