// Loops are unrolled up to a number of rounds, which is doubled. For each number three questions
// are asked, one after the other, of the same solver:
//
//   1. Is there an execution within these rounds that fails, deadlocks or has a race? Then the
//      interpreter takes its steps.
//   2. Is there one that goes beyond them, or does what the encoding cannot say? If not, and there
//      was none of the first kind, all executions have been looked at: a proof.
//   3. If assumptions have left executions out: does any keep them to its end?
//
// A thread may stop before each of its events, so that an execution is any prefix: what happens
// after a failure, an assumption that does not hold or a round too many need not be in it.
//
//   - A deadlock is an execution in which each thread that has begun and not ended has stopped at
//   an
//     event that the last values of its cells do not let it take; an event after all others reads
//     these.
//   - A data race is one in which two threads have stopped before accesses to the same cell.
#include "events/check.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "events/order.h"
#include "events/replay.h"
#include "events/unroll.h"
#include "events/values.h"
#include "symbolic/budget.h"

namespace heddle::events {
namespace {

using circuit::kFalse;
using circuit::kTrue;
using symbolic::Sat;
using symbolic::Verdict;

class Checker {
 public:
  Checker(EventProgram& program, const Question& question, symbolic::Budget& budget)
      : p_(program),
        aig_(program.aig),
        question_(question),
        budget_(budget),
        solver_(program.aig, budget),
        order_(program, solver_) {}

  // Whether more rounds could say more.
  bool run(Answer& answer) {
    const Literal deadlock = deadlocks();
    const Literal race = question_.races ? races() : kFalse;
    for (const Literal each : p_.constraints) solver_.require(each);
    for (const Literal each : p_.dismissed) solver_.require(!each);
    order_.encode();
    std::vector<Literal> ignored, bad{deadlock, race}, beyond = p_.unwound;
    for (const GuardedFailure& failure : p_.failures)
      (contains(question_.ignored, failure.kind) ? ignored : bad).push_back(failure.when);
    for (const Beyond& each : p_.beyond) beyond.push_back(each.when);
    const Literal counts = !aig_.lor(ignored), within = !aig_.lor(beyond);
    const bool more =
        ask(answer, aig_.land({aig_.lor(bad), within, counts}), race, deadlock, counts);
    answer.events = static_cast<uint32_t>(p_.events.size());
    answer.pairs = order_.pairs();
    answer.cycles = order_.cycles();
    answer.calls = order_.calls();
    return more;
  }

 private:
  bool ask(Answer& answer, Literal bad, Literal race, Literal deadlock, Literal counts) {
    if (bad != kFalse) {
      const Sat found = order_.solve(bad);
      if (found == Sat::Undecided) return give_up(answer);
      if (found == Sat::Satisfiable) return tell(answer, race, deadlock);
    }
    if (std::optional<bool> more = ask_beyond(answer, counts)) return *more;
    const Sat kept = someone_keeps_assumptions(counts);
    if (kept == Sat::Undecided) return give_up(answer);
    answer.verdict = kept == Sat::Satisfiable ? Verdict::Proved : Verdict::Unknown;
    answer.reason = kept == Sat::Satisfiable
                        ? fmt::format("no order of the {} events shows a bug", p_.events.size())
                        : "there is no bug, but no execution that keeps the assumptions ends";
    return false;
  }

  bool give_up(Answer& answer) const {
    answer.reason = budget_.reason();
    return false;
  }

  bool tell(Answer& answer, Literal race, Literal deadlock) {
    answer.kind = kind_shown(race, deadlock);
    const std::vector<uint32_t> order = order_.linear();
    auto replayed = replay(p_, order, solver_, answer.kind);
    if (const auto* wrong = std::get_if<std::string>(&replayed)) {
      answer.verdict = Verdict::Unknown;
      answer.reason = fmt::format("{}: a defect of the encoding by events", *wrong);
      return false;
    }
    answer.execution = std::get<circuit::Execution>(std::move(replayed));
    if (answer.execution.outcome == Outcome::Failed) answer.kind = answer.execution.failure.kind;
    answer.verdict = Verdict::Reached;
    return false;
  }

  FindingKind kind_shown(Literal race, Literal deadlock) const {
    for (const GuardedFailure& failure : p_.failures)
      if (solver_.value(failure.when)) return failure.kind;
    if (deadlock != kFalse && solver_.value(deadlock)) return FindingKind::Deadlock;
    return race != kFalse && solver_.value(race) ? FindingKind::DataRace : FindingKind::Deadlock;
  }

  // Nothing: no execution goes beyond what has been looked at.
  std::optional<bool> ask_beyond(Answer& answer, Literal counts) {
    std::vector<Literal> cannot;
    for (const Beyond& each : p_.beyond) cannot.push_back(each.when);
    const Literal unsaid = aig_.land(aig_.lor(cannot), counts);
    if (unsaid != kFalse) {
      const Sat found = order_.solve(unsaid);
      if (found == Sat::Undecided) return give_up(answer);
      if (found == Sat::Satisfiable) {
        for (const Beyond& each : p_.beyond)
          if (solver_.value(each.when)) answer.reason = each.what;
        answer.verdict = Verdict::Unknown;
        return false;
      }
    }
    const Literal unwound = aig_.land(aig_.lor(p_.unwound), counts);
    if (unwound == kFalse) return std::nullopt;
    const Sat found = order_.solve(unwound);
    if (found == Sat::Undecided) return give_up(answer);
    if (found == Sat::Unsatisfiable) return std::nullopt;
    answer.verdict = Verdict::Bounded;
    return true;
  }

  // A proof about no execution at all is none.
  Sat someone_keeps_assumptions(Literal counts) {
    if (aig_.lor(p_.dismissed) == kFalse) return Sat::Satisfiable;
    std::vector<Literal> all_end;
    for (uint32_t slot = 0; slot < p_.slots; ++slot)
      all_end.push_back(aig_.implies(p_.created[slot], p_.ended[slot]));
    const Literal ends = aig_.lor(aig_.lor(p_.exits), aig_.land(all_end));
    return order_.solve(aig_.land(ends, counts));
  }

  // ---- what is asked for ----

  Literal deadlocks() {
    if (contains(question_.ignored, FindingKind::Deadlock)) return kFalse;
    std::vector<std::vector<Literal>> blocked(p_.slots);
    for (const auto& [slot, when] : p_.stuck) blocked[slot].push_back(when);
    read_last_values(blocked);
    std::vector<Literal> live, waiting;
    for (uint32_t slot = 0; slot < p_.slots; ++slot) {
      live.push_back(aig_.land(p_.created[slot], !p_.ended[slot]));
      waiting.push_back(aig_.implies(live.back(), aig_.lor(blocked[slot])));
    }
    return aig_.land(aig_.lor(live), aig_.land(waiting));
  }

  void read_last_values(std::vector<std::vector<Literal>>& blocked) {
    if (p_.waits.empty()) return;
    const CellWords words(p_);
    Event last;
    last.kind = EventKind::Final;
    last.reached = last.taken = kTrue;
    std::map<uint32_t, Word> seen;
    for (const Wait& wait : p_.waits) {
      const auto [found, is_new] = seen.try_emplace(wait.cell);
      if (is_new) {
        found->second = circuit::input_word(aig_, "", words.bits(wait.cell));
        last.accesses.push_back({wait.cell, kTrue, true, false, found->second, {}});
      }
      const Literal possible = words.possible(wait.action, wait.kind, found->second, wait.slot);
      blocked[wait.slot].push_back(aig_.land(wait.when, !possible));
    }
    p_.events.push_back(std::move(last));
  }

  Literal races() {
    struct About {
      std::vector<Literal> any, writes, plain;
    };
    std::map<uint32_t, std::map<uint32_t, About>> by_cell;  // and slot
    for (const Standing& each : p_.standing) {
      About& about = by_cell[each.cell][each.slot];
      about.any.push_back(each.when);
      if (each.writes) about.writes.push_back(each.when);
      if (each.plain) about.plain.push_back(each.when);
    }
    std::vector<Literal> found;
    for (const auto& [cell, slots] : by_cell)
      for (auto a = slots.begin(); a != slots.end(); ++a)
        for (auto b = std::next(a); b != slots.end(); ++b)
          found.push_back(race(a->second.any, a->second.writes, a->second.plain, b->second.any,
                               b->second.writes, b->second.plain));
    return aig_.lor(found);
  }

  using Literals = std::vector<Literal>;
  Literal race(const Literals& any_a, const Literals& writes_a, const Literals& plain_a,
               const Literals& any_b, const Literals& writes_b, const Literals& plain_b) {
    const auto either = [&](const Literals& a, const Literals& b) {
      return aig_.lor(aig_.lor(a), aig_.lor(b));
    };
    return aig_.land(
        {aig_.lor(any_a), aig_.lor(any_b), either(writes_a, writes_b), either(plain_a, plain_b)});
  }

  EventProgram& p_;
  circuit::Aig& aig_;
  const Question& question_;
  symbolic::Budget& budget_;
  symbolic::GateSolver solver_;
  Order order_;
};

std::string bounded_reason(uint32_t rounds, const std::string& why) {
  return fmt::format(
      "no bug in executions that take {} round{} of each loop without an end of its "
      "own; {}",
      rounds, rounds == 1 ? "" : "s", why);
}

}  // namespace

Answer check(const graph::Program& program, const Question& question,
             const symbolic::Limits& limits) {
  symbolic::Budget budget(limits);
  Answer last;
  for (uint32_t rounds = 1;; rounds *= 2) {
    auto unrolled = unroll(program, {.rounds = rounds});
    Answer answer;
    answer.rounds = rounds;
    bool more = false;
    if (const auto* refusal = std::get_if<Refusal>(&unrolled)) {
      answer.reason = refusal->sentence;
    } else {
      more = Checker(*std::get<0>(unrolled), question, budget).run(answer);
    }
    const bool decided = answer.verdict == Verdict::Reached || answer.verdict == Verdict::Proved;
    // What fewer rounds have shown still stands.
    if (!decided && !more && last.verdict == Verdict::Bounded) {
      last.reason = bounded_reason(last.rounds, answer.reason);
      return last;
    }
    if (more && rounds >= question.most_rounds) {
      answer.reason = bounded_reason(rounds, "no more rounds are looked at");
      return answer;
    }
    if (!more) return answer;
    last = std::move(answer);
  }
}

std::string refusal_of(const graph::Program& program) {
  auto unrolled = unroll(program, {.rounds = 1});
  const auto* refusal = std::get_if<Refusal>(&unrolled);
  return refusal == nullptr ? "" : refusal->sentence;
}

}  // namespace heddle::events
