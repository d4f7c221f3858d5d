#include "prove/confirm.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/build.h"
#include "cli/findings.h"
#include "cli/library.h"
#include "cli/process.h"
#include "cli/program.h"
#include "model/action.h"
#include "prove/native_search.h"
#include "prove/verifier_stubs.h"
#include "report/symbolizer.h"

namespace heddle::prove {
namespace {

namespace fs = std::filesystem;

Confirmation not_tried(const std::string& why) {
  return {Confirmation::State::NotTried, fmt::format("not replayed natively: {}", why), "", ""};
}

// The command line that replays: beside this program, or where it was built.
std::string find_heddle() {
  std::error_code ignored;
  const fs::path home = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place : {"heddle", "../cli/heddle", "../../bin/heddle"})
    if (fs::is_regular_file(home / place, ignored))
      return fs::canonical(home / place, ignored).string();
  return "";
}

// The program may be built and followed in several ways. Compiled as it is written it touches its
// local variables all the time, and what of that stands for which access of the graph has to be
// guessed; so it is tried without most of these accesses, and then by synchronisation alone.
struct Attempt {
  Visible built_for;  // Visible::All: no access is optimised away
  Visible steps;
};
constexpr Attempt kAttempts[] = {
    {Visible::All, Visible::All}, {Visible::Sync, Visible::All}, {Visible::Sync, Visible::Sync}};

CheckRequest native_request(const ProveRequest& request, const Attempt& attempt) {
  CheckRequest native;
  native.inputs = request.inputs;
  native.compile_flags = request.compile_flags;
  native.arguments = request.arguments;
  native.options.run.visible = attempt.built_for;
  return native;
}

// Steps on variables of the program refer to them where they lie natively; the remarks name them.
// Objects of the stack and the heap keep their addresses in the graph: the replay finds out.
void translate_objects(Trace& trace, TraceNotes& notes, const Counterexample& told,
                       const graph::Program& graph, const Program& program) {
  Symbolizer symbolizer(trace.modules);
  const auto is_global = [&](Address pointer) {
    const uint64_t number = value(pointer) >> 32;
    return number > 0 && number <= graph.objects.size() &&
           graph.objects[number - 1].kind == graph::ObjectKind::Global;
  };
  std::map<uint64_t, bool> found;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    Action& action = trace.steps[i].action;
    notes.steps.push_back(told.places[i].empty()
                              ? told.descriptions[i]
                              : fmt::format("{} at {}", told.descriptions[i], told.places[i]));
    action.pc = kNoAddress;
    action.second = kNoAddress;
    if (operation(action.op).object < ObjectSort::Variable) continue;
    if (action.object == kNoAddress || !is_global(action.object)) continue;
    auto [known, fresh] = found.try_emplace(value(action.object), false);
    if (fresh) known->second = symbolizer.address_of(name_of(graph, action.object)) != kNoAddress;
    if (known->second) action.object = Address{program.load_bias + 2};
  }
}

// Leaves out steps that the attempt does not see.
Counterexample seen_by(const Attempt& attempt, const Counterexample& told) {
  Counterexample seen = told;
  if (attempt.steps == Visible::All) return seen;
  seen.descriptions.clear();
  seen.places.clear();
  seen.trace.schedule.clear();
  seen.trace.steps.clear();
  for (size_t i = 0; i < told.trace.steps.size(); ++i) {
    const Op op = told.trace.steps[i].action.op;
    if (op == Op::Read || op == Op::Write) continue;
    seen.descriptions.push_back(told.descriptions[i]);
    seen.places.push_back(told.places[i]);
    seen.trace.schedule.push_back(told.trace.schedule[i]);
    seen.trace.steps.push_back(told.trace.steps[i]);
  }
  return seen;
}

Result<std::string> write_trace(const NativeProgram& native, const Counterexample& told,
                                const Attempt& attempt, const Program& program, size_t number) {
  Trace trace = told.trace;
  trace.program = program.path;
  trace.arguments = native.request.arguments;
  trace.build_id = "made by heddle prove";
  RunOptions options;
  options.visible = attempt.steps;
  options.leaks = false;
  if (trace.failure.kind != FindingKind::DataRace) options.races = Races::Off;
  trace.run_settings = settings_of(options);
  std::error_code ignored;
  trace.modules = {{program.path, program.load_bias, program.load_bias,
                    program.load_bias + fs::file_size(program.path, ignored)}};
  trace.failure.pc = kNoAddress;
  trace.failure.other = kNoAddress;
  trace.failure.object = kNoAddress;
  TraceNotes notes;
  translate_objects(trace, notes, told, native.graph, program);
  const std::string stem = fs::path(native.request.inputs.front()).stem().string();
  const fs::path file = fs::path(native.request.options.trace_directory) /
                        fmt::format("{}.prove.{}.heddle-trace", stem, number);
  std::ofstream out(file);
  out << to_text(trace, notes);
  if (!out.flush()) return Error{fmt::format("cannot write {}", file.string())};
  return file.string();
}

// A file of source code that is removed when the program has been built.
class StubFile {
 public:
  explicit StubFile(const std::string& text) : path_(fs::temp_directory_path() / name()) {
    std::ofstream(path_) << text;
  }
  ~StubFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  StubFile(const StubFile&) = delete;
  StubFile& operator=(const StubFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  static std::string name() { return fmt::format("heddle-prove-{}.c", getpid()); }
  fs::path path_;
};

Result<Program> build(const NativeProgram& native, const Counterexample& told,
                      const Attempt& attempt) {
  Result<std::string> library = find_library();
  if (!library) return library.error();
  CheckRequest request = native_request(native.request, attempt);
  std::optional<StubFile> stubs;
  if (!native.verifier_functions.empty()) {
    stubs.emplace(verifier_stubs(native.verifier_functions, told.inputs));
    request.inputs.push_back(stubs->path());
  }
  Result<std::string> path = build_program(request, *library);
  if (!path) return path.error();
  return inspect_program(*path);
}

Confirmation judge(const std::string& json, const std::string& file) {
  Confirmation confirmation;
  const nlohmann::json report = nlohmann::json::parse(json, nullptr, false);
  if (report.is_discarded()) return not_tried("heddle replay could not run the program");
  const nlohmann::json& findings = report["findings"];
  const std::string native = findings.empty() ? "" : findings[0].value("message", std::string());
  if (report.value("verdict", "") == "fail") {
    confirmation.state = Confirmation::State::Shown;
    confirmation.sentence = fmt::format("replayed natively: {}", native);
    confirmation.trace_file = file;
    return confirmation;
  }
  if (!findings.empty() && findings[0].value("kind", "") != name(FindingKind::Nondeterminism)) {
    confirmation.state = Confirmation::State::Shown;
    confirmation.sentence = fmt::format("replayed natively, another bug shows: {}", native);
    confirmation.trace_file = file;
    return confirmation;
  }
  confirmation.state = Confirmation::State::NotShown;
  std::string note;
  for (const nlohmann::json& one : report["notes"]) note = one.get<std::string>();
  confirmation.sentence = fmt::format("replayed natively, the bug does not show: {}", note);
  confirmation.trace_file = file;
  if (!findings.empty())
    for (const nlohmann::json& step : findings[0]["trace"])
      confirmation.native +=
          fmt::format("  {:4}  thread {}  {}\n", step["step"].get<int>(), step["thread"].get<int>(),
                      step["description"].get<std::string>());
  return confirmation;
}

// Whether the native run may go through the bug without noticing.
bool unseen_natively(const graph::Program& graph, const Counterexample& told) {
  if (told.trace.failure.kind != FindingKind::OutOfBounds || told.trace.steps.empty()) return false;
  const uint64_t number = value(told.trace.steps.back().action.object) >> 32;
  return number > 0 && number <= graph.objects.size() &&
         graph.objects[number - 1].kind != graph::ObjectKind::Heap;
}

Confirmation follow(const std::string& heddle, const NativeProgram& native,
                    const Counterexample& told, const Attempt& attempt, size_t number) {
  Result<Program> program = build(native, told, attempt);
  if (!program) return not_tried(program.error().message);
  Result<std::string> file = write_trace(native, seen_by(attempt, told), attempt, *program, number);
  if (!file) return not_tried(file.error().message);
  return judge(output_of({heddle, "replay", "--trust", *file, "--json"}), *file);
}

}  // namespace

Confirmation confirm(const NativeProgram& native, const Counterexample& told, size_t number) {
  const std::string heddle = find_heddle();
  if (heddle.empty()) return not_tried("the program heddle is not near heddle-prove");
  std::optional<Confirmation> first;  // the one to report if none shows the bug
  for (const Attempt& attempt : kAttempts) {
    Confirmation now = follow(heddle, native, told, attempt, number);
    if (now.state == Confirmation::State::Shown) return now;
    if (!first) first = now;
  }
  if (unseen_natively(native.graph, told))
    return not_tried("native runs watch the bounds of allocated blocks only, not of variables");
  if (native.own_reach_error && told.trace.failure.kind == FindingKind::Assertion)
    return not_tried(
        "native runs do not notice that reach_error, which the program defines, is called");
  if (first->state == Confirmation::State::NotTried) return *first;
  if (Result<Program> program = build(native, told, kAttempts[0]); program)
    if (std::optional<Confirmation> found =
            search_natively(heddle, program->path, native.request, told.trace.failure.kind))
      return *found;
  // The file that the report names is that of the first attempt.
  return follow(heddle, native, told, kAttempts[0], number);
}

}  // namespace heddle::prove
