#include "prove/witness_path.h"

#include <fmt/format.h>

#include <filesystem>

#include "prove/verifier_stubs.h"

namespace heddle::prove {
namespace {

namespace fs = std::filesystem;
using Role = frontend::VerifierCall::Role;

bool same(const graph::Place& one, const graph::Place& other) {
  return one.file == other.file && one.line == other.line && one.column == other.column;
}

class Path {
 public:
  Path(const frontend::Translation& translation, const Counterexample& told,
       const std::string& file)
      : translation_(translation), told_(told) {
    for (const std::string& each : translation.program.files) {
      std::error_code ignored;
      in_file_.push_back(each == file || fs::equivalent(each, file, ignored));
    }
  }

  std::vector<WitnessEdge> edges(BrokenAt broken_at) {
    WitnessEdge begin;
    begin.creates = kMainThread;
    begin.enters = told_.thread_names.front();
    edges_.push_back(begin);
    add_inputs(0);
    for (size_t i = 0; i < told_.trace.steps.size(); ++i) {
      add_step(told_.trace.steps[i].action);
      add_inputs(i + 1);
    }
    add_end(broken_at);
    return std::move(edges_);
  }

 private:
  uint32_t line_of(Address pc) const {
    const graph::Place place = place_of(translation_.program, pc);
    return place.file < in_file_.size() && in_file_[place.file] ? place.line : 0;
  }

  WitnessEdge edge_at(ThreadId thread, Address pc) const {
    WitnessEdge edge;
    edge.thread = thread;
    edge.line = line_of(pc);
    return edge;
  }

  void add_step(const Action& action) {
    WitnessEdge edge = edge_at(action.thread, action.pc);
    if (action.op == Op::ThreadCreate)
      edge.creates = ThreadId{static_cast<uint32_t>(value(action.object))};
    if (action.op == Op::ThreadStart)
      for (size_t i = 0; i < told_.trace.threads.size(); ++i)
        if (told_.trace.threads[i].id == action.thread) edge.enters = told_.thread_names[i];
    edges_.push_back(edge);
    last_pc_ = action.pc;
  }

  // Those that a step takes on its way; where taking one is the step, it is there already.
  void add_inputs(size_t after) {
    for (; input_ < told_.taken.size() && told_.taken[input_].after == after; ++input_) {
      const TakenInput& taken = told_.taken[input_];
      const bool is_step = after > 0 && taken.pc == last_pc_;
      if (!is_step) edges_.push_back(edge_at(taken.thread, taken.pc));
      const std::string function = verifier_function_at(translation_, taken.pc, Role::Input);
      const std::string given = input_constant(function, taken.value);
      if (given.empty()) continue;
      edges_.back().assumption = fmt::format("\\result == {}", given);
      edges_.back().assumed_result = function;
    }
  }

  void add_end(BrokenAt broken_at) {
    const Failure& failure = told_.trace.failure;
    const bool is_last_step = failure.pc == last_pc_ && failure.thread == edges_.back().thread;
    const bool ends_there =
        broken_at == BrokenAt::LastStep || (broken_at == BrokenAt::Place && is_last_step);
    if (!ends_there) edges_.push_back(edge_at(failure.thread, failure.pc));
  }

  const frontend::Translation& translation_;
  const Counterexample& told_;
  std::vector<bool> in_file_;  // by file of the program
  std::vector<WitnessEdge> edges_;
  size_t input_ = 0;
  Address last_pc_ = kNoAddress;
};

}  // namespace

std::vector<WitnessEdge> witness_path(const frontend::Translation& translation,
                                      const Counterexample& told, const WitnessProperty& broken,
                                      const std::string& file) {
  return Path(translation, told, file).edges(broken.broken_at);
}

std::string verifier_function_at(const frontend::Translation& translation, Address pc,
                                 frontend::VerifierCall::Role role) {
  const graph::Place place = place_of(translation.program, pc);
  std::string function;
  for (const frontend::VerifierCall& call : translation.verifier_calls) {
    if (call.role != role || !same(call.place, place)) continue;
    if (!function.empty() && function != call.function) return "";
    function = call.function;
  }
  return function;
}

}  // namespace heddle::prove
