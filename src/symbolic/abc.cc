// Property directed reachability (Bradley, "SAT-based model checking without unrolling", VMCAI
// 2011; Eén, Mishchenko, Brayton, FMCAD 2011) and interpolation (McMillan, "Interpolation and
// SAT-based model checking", CAV 2003), both by ABC, Berkeley's system for synthesis and
// verification.
//
// ABC is a program of its own. It gets the folded circuit (circuit/fold.h: it treats constraints in
// ways of its own otherwise) as binary AIGER and writes its counterexample into memory files
// that it inherits, so that nothing is left behind whenever it is ended. Its exit status says
// nothing: what counts is the line of `print_status`, 0 for a counterexample, 1 for a proof. A
// circuit without latches is not sequential for it, one without inputs fails its assertions: each
// is given one.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <utility>

#include "circuit/aiger.h"
#include "circuit/fold.h"
#include "symbolic/budget.h"
#include "symbolic/process.h"

namespace heddle::symbolic {
namespace {

// A file without a name; others open it by its descriptor.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, 0)) {}
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

int become_abc(const std::string& commands, const Limits& limits, int output) {
  limit_this_process(limits);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execlp("berkeley-abc", "berkeley-abc", "-q", commands.c_str(), nullptr);
  std::fputs("Cannot start berkeley-abc\n", stderr);
  return 127;
}

// One line of latches, one of inputs for each step.
bool read_run(std::istream& in, size_t inputs, circuit::Run& run) {
  std::string line;
  const auto bits = [&line] {
    std::vector<bool> result;
    for (char each : line) {
      if (each != '0' && each != '1') break;
      result.push_back(each == '1');
    }
    return result;
  };
  if (!std::getline(in, line)) return false;
  run.reset = bits();
  while (std::getline(in, line)) {
    run.steps.push_back(bits());
    if (run.steps.back().size() != inputs) return false;
  }
  return !run.steps.empty();
}

Answer read_status(const std::string& said) {
  const std::string key = "Status = ";
  const size_t at = said.rfind(key);
  if (at == std::string::npos) {
    const std::string line = said.substr(0, said.find('\n'));
    return unknown(fmt::format("ABC says no status, but: {}", line.empty() ? "nothing" : line));
  }
  const int status = std::atoi(said.c_str() + at + key.size());
  if (status == 1) return {Verdict::Proved, 0, "", "", {}};
  if (status == 0) return {Verdict::Reached, 0, "", "", {}};
  return unknown("ABC gave up");
}

Answer check_by(const std::string& method, const circuit::System& system, uint32_t property,
                const Limits& limits) {
  Budget budget(limits);
  circuit::Folded folded = circuit::fold(system, property);
  if (folded.system.aig.latches().empty()) folded.system.aig.add_latch("unused");
  if (folded.system.aig.inputs().empty()) folded.system.aig.add_input("unused");
  const MemoryFile circuit_file("circuit"), run_file("run");
  {
    std::ofstream out(circuit_file.path(), std::ios::binary);
    write_aiger(folded.system, circuit::AigerVersion::V1_0, circuit::AigerNames::LeftOut, out);
  }
  const std::string commands = fmt::format("read_aiger {}; {}; print_status; write_cex -a {}",
                                           circuit_file.path(), method, run_file.path());
  Child abc([&](int output) { return become_abc(commands, limits, output); });
  std::string said;
  const std::array descriptors{abc.output()};
  while (abc.read(said)) {
    if (budget.spent_now()) return unknown(budget.reason());
    wait_for_output(descriptors);
  }
  Answer answer = read_status(said);
  if (answer.verdict != Verdict::Reached) return answer;
  std::ifstream in(run_file.path());
  circuit::Run run;
  if (!read_run(in, folded.system.aig.inputs().size(), run))
    return unknown("ABC's counterexample cannot be read");
  answer.run = circuit::unfold(system, folded, run);
  answer.depth = static_cast<uint32_t>(answer.run.steps.size()) - 1;
  if (!circuit::shows(system, answer.run, property))
    return unknown("ABC's counterexample does not show the property");
  return answer;
}

}  // namespace

Answer check_pdr(const circuit::System& system, uint32_t property, const Limits& limits) {
  Answer answer = check_by("pdr", system, property, limits);
  if (answer.verdict == Verdict::Proved)
    answer.reason = "by an inductive invariant that property directed reachability found";
  return answer;
}

Answer check_interpolation(const circuit::System& system, uint32_t property, const Limits& limits) {
  Answer answer = check_by("int", system, property, limits);
  if (answer.verdict == Verdict::Proved)
    answer.reason = "by an inductive invariant of interpolants";
  return answer;
}

}  // namespace heddle::symbolic
