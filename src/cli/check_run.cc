#include "cli/check_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "cli/build.h"
#include "cli/environment.h"
#include "cli/exit_status.h"
#include "cli/library.h"
#include "cli/outputs.h"
#include "cli/program.h"
#include "cli/run.h"
#include "cli/session_head.h"
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
                                       CheckOptions options, Session* session) {
  Result<RunResult> result = explore(program, target, options, session);
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

// A new one, unless there is one that goes on.
Result<bool> prepare_session(const CheckRequest& request, const Program& program,
                             const Target& target, Words words, std::optional<Session>& session) {
  Result<SessionHead> head = session_head(request, program, target, words);
  if (!head) return head.error();
  if (session) {
    std::string mismatch = session_mismatch(*session, *head);
    if (!mismatch.empty()) return Error{std::move(mismatch)};
    return true;
  }
  std::error_code error;
  const std::string file = std::filesystem::absolute(request.options.session, error).string();
  Result<Session> made = Session::create(file, *head);
  if (!made) return made.error();
  session.emplace(std::move(*made));
  return true;
}

// Nothing has come of it.
void remove_file_of(std::optional<Session>& session) {
  const std::string file = session->file();
  session.reset();
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
}

}  // namespace

Result<int> run_check(const CheckRequest& request, const std::string& name, Words words,
                      std::optional<Session> session) {
  const CheckOptions& options = request.options;
  if (!options.session.empty())
    if (std::string complaint = session_complaint(options); !complaint.empty())
      return Error{complaint};
  if (std::string complaint = environment_complaint(); !complaint.empty()) return Error{complaint};
  Result<std::string> library = find_library();
  if (!library) return library.error();
  Result<std::string> path = program_of(request, *library);
  if (!path) return path.error();
  Result<Program> program = inspect_program(*path);
  if (!program) return program.error();
  if (names_sources(request))
    program->name = std::filesystem::path(request.inputs.front()).stem().string();
  if (!name.empty()) program->name = name;
  if (options.run.visible == Visible::All && !program->instrumented)
    return Error{fmt::format(
        "{} does not report its memory accesses, so --visible=all cannot work; compile it with "
        "heddle cc or heddle c++, or name its sources",
        *path)};

  Target target{program->path, request.arguments, *library, {}, {}, {}, *path};
  if (!options.properties.empty()) {
    Result<std::vector<Property>> properties = read_properties(options.properties);
    if (!properties) return properties.error();
    target.properties = std::move(*properties);
  }
  Result<ScratchPlace> place = prepare_scratch(options.scratch, target);
  if (!place) return place.error();
  Result<OpenOutputs> outputs = OpenOutputs::open(options.output, program->name, request.inputs);
  if (!outputs) return outputs.error();
  const bool begins = !session;
  if (!options.session.empty()) {
    Result<bool> ready = prepare_session(request, *program, target, words, session);
    if (!ready) return ready.error();
  }
  Result<RunResult> result =
      explore_or_enumerate(*program, target, options, session ? &*session : nullptr);
  if (!result && begins && session && session->phase() == SessionPhase::Begun)
    remove_file_of(session);
  if (!result) return result.error();
  const OpenOutputs::Delivery delivery = outputs->deliver(*result);
  print_text(delivery.text);
  if (!delivery.complaint.empty()) return Error{delivery.complaint};
  if (!result->lost.empty()) return Error{result->lost};
  return exit_status(result->verdict);
}

}  // namespace heddle
