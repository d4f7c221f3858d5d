// Bounded model checking (Biere, Cimatti, Clarke, Zhu, "Symbolic model checking without BDDs",
// TACAS 1999): is there a run of k steps at whose end bad holds? For each k the circuit is unrolled
// by one more frame and a SAT solver is asked, the same solver all the time (Eén, Sörensson,
// "Temporal induction by incremental SAT solving", 2003): bad is only assumed, so that what was
// learnt from one depth is kept for the next.
//
// What a refuted depth leaves behind: the constraints of its frames are required from then on,
// since every longer run keeps them; bad is excluded there; and where the solver now knows a latch
// of the next frame to be constant, the constant is put in its place before the next frame is
// built. A query may also cover several depths: bad in any of them, with the constraints up to
// there. Frame by frame finds a shortest run; one query for a depth that is known is cheaper if
// there is nothing to find.
//
// Bounded model checking proves nothing about longer runs, with one exception, which programs that
// end are: if in no run of k steps the last step changes a latch, then every state after k-1 steps
// is one that no input moves, and there are no states but those already looked at. (Suppose a run
// of k-1 steps ends in s. Each input that the constraints allow leads from s to s. So each longer
// run stays in s, where bad was excluded with all inputs.) The same question finds out that the
// constraints allow no run of k steps. It is asked with a limit on conflicts: a machine that goes
// on forever answers at once, one that has nearly ended may take long and is asked again later.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "symbolic/base_case.h"

namespace heddle::symbolic {

using circuit::Literal;

namespace {

constexpr uint32_t kConflictsForEnds = 20000;

}  // namespace

BaseCase::BaseCase(const circuit::System& system, uint32_t property, const Limits& limits,
                   Budget& budget)
    : system_(system),
      property_(property),
      limits_(limits),
      budget_(budget),
      unrolling_(system, property, Start::Reset),
      solver_(unrolling_.aig(), budget) {}

std::optional<Answer> BaseCase::look(uint32_t depths) {
  const uint32_t from = looked_at_;
  const uint32_t end = from + depths;
  circuit::Aig& aig = unrolling_.aig();
  Literal allowed = circuit::kTrue;
  std::vector<Literal> bad;
  while (unrolling_.frames() < end) {
    if (budget_.spent_now()) return gave_up();
    unrolling_.extend();
    const uint32_t frame = unrolling_.frames() - 1;
    allowed = aig.land(allowed, unrolling_.constraints(frame));
    bad.push_back(aig.land(allowed, unrolling_.at(frame, system_.properties[property_].bad)));
  }
  switch (solver_.solve(aig.lor(bad))) {
    case Sat::Satisfiable:
      return reached(from);
    case Sat::Undecided:
      return gave_up();
    case Sat::Unsatisfiable:
      break;
  }
  keep(from);
  looked_at_ = end;
  if (limits_.on_bound) limits_.on_bound(end - 1);
  return all_runs_ended();
}

Answer BaseCase::reached(uint32_t from) {
  circuit::Run run =
      unrolling_.run(unrolling_.frames() - 1, [this](Literal each) { return solver_.value(each); });
  // Where a query covers several depths the run may go on after bad.
  circuit::Run prefix{run.reset, {}};
  for (uint32_t depth = 0; depth < run.steps.size(); ++depth) {
    prefix.steps.push_back(run.steps[depth]);
    if (depth >= from && circuit::shows(system_, prefix, property_))
      return {Verdict::Reached, depth, "", "", prefix};
  }
  return unknown("the solver's run does not show the property: a defect of the encoding");
}

Answer BaseCase::gave_up() {
  return looked_at_ == 0 ? unknown(budget_.reason()) : bounded(looked_at_ - 1, budget_.reason());
}

void BaseCase::keep(uint32_t from) {
  for (uint32_t frame = from; frame < unrolling_.frames(); ++frame) {
    solver_.require(unrolling_.constraints(frame));
    solver_.require(!unrolling_.at(frame, system_.properties[property_].bad));
  }
}

std::optional<Answer> BaseCase::all_runs_ended() {
  const Literal moves = unrolling_.differ(looked_at_ - 1, looked_at_);
  if (solver_.solve(moves, kConflictsForEnds) == Sat::Unsatisfiable)
    return Answer{
        Verdict::Proved, 0, fmt::format("every run ends within {} steps", looked_at_ - 1), "", {}};
  std::vector<Literal> state = unrolling_.state(looked_at_);
  for (Literal& each : state) each = solver_.simplified(each);
  unrolling_.set_state(state);
  return std::nullopt;
}

namespace {

Answer go_on(const circuit::System& system, uint32_t property, const Limits& limits,
             uint32_t depths_per_query) {
  Budget budget(limits);
  BaseCase base(system, property, limits, budget);
  for (;;) {
    const uint64_t left =
        limits.depth == kAnyDepth ? kAnyDepth : uint64_t{limits.depth} + 1 - base.looked_at();
    if (left == 0) return bounded(limits.depth, "the depth limit was reached");
    const auto depths = static_cast<uint32_t>(std::min<uint64_t>(left, depths_per_query));
    if (std::optional<Answer> answer = base.look(depths)) return *answer;
  }
}

}  // namespace

Answer check_bmc(const circuit::System& system, uint32_t property, const Limits& limits) {
  return go_on(system, property, limits, 1);
}

Answer check_bmc_once(const circuit::System& system, uint32_t property, const Limits& limits) {
  if (limits.depth == kAnyDepth) return unknown("one query needs a depth");
  return go_on(system, property, limits, limits.depth + 1);
}

}  // namespace heddle::symbolic
