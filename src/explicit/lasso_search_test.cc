// Temporal properties: by hand, and on random graphs against the definition of the formula, on
// every execution up to a length that goes round a loop.
#include "explicit/lasso_search.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "explicit/check.h"
#include "explicit/graph_script.h"
#include "explicit/propositions.h"
#include "explicit/random_graphs.h"
#include "interpreter/graph_space.h"
#include "temporal/lasso.h"
#include "temporal/parse.h"
#include "toy/sample_size.h"

namespace heddle::explicit_states {
namespace {

using Bytes = std::vector<uint8_t>;

CheckResult result_of(GraphSpace& space, const std::string& formula,
                      Fairness fairness = Fairness::None) {
  CheckOptions options;
  options.temporal = TemporalOptions{formula, fairness};
  EXPECT_EQ(complaint_about(space, *options.temporal), "");
  return check(space, options);
}

Verdict verdict_of(GraphSpace& space, const std::string& formula,
                   Fairness fairness = Fairness::None) {
  return result_of(space, formula, fairness).verdict;
}

// One thread waits in a loop for a flag that the other one sets.
graph::Program waits_for_flag() {
  graph::Program program;
  const auto flag = graph::add_global(program, "flag", 8);
  const auto done = graph::add_global(program, "done", 8);
  Script waiter("waiter");
  const Script::Reg seen = waiter.reg("seen");
  waiter.begin_loop();
  waiter.load(seen, flag);
  waiter.leave_loop_if(waiter.equal(waiter.value(seen), waiter.number(1)));
  waiter.end_loop();
  waiter.store(done, waiter.number(1));
  Script setter("setter");
  setter.store(flag, setter.number(1));
  std::vector<graph::Routine> routines;
  routines.push_back(waiter.take());
  routines.push_back(setter.take());
  return with_main(std::move(program), std::move(routines));
}

TEST(LassoSearch, AWaitingLoopEndsOnlyIfTheSchedulerIsFair) {
  GraphSpace space(waits_for_flag());
  EXPECT_EQ(verdict_of(space, "F done == 1"), Verdict::Fail);
  EXPECT_EQ(verdict_of(space, "F done == 1", Fairness::Weak), Verdict::Pass);
  EXPECT_EQ(verdict_of(space, "G (done -> flag)"), Verdict::Pass);
  EXPECT_EQ(verdict_of(space, "!done U flag"), Verdict::Fail);  // flag may never come
  EXPECT_EQ(verdict_of(space, "!done W flag"), Verdict::Pass);
  EXPECT_EQ(verdict_of(space, "G !done"), Verdict::Fail);
  EXPECT_EQ(verdict_of(space, "F G done", Fairness::Weak), Verdict::Pass);
  EXPECT_EQ(verdict_of(space, "F live(1)"), Verdict::Pass);
  EXPECT_EQ(verdict_of(space, "G (live(1) -> F !live(1))", Fairness::Weak), Verdict::Pass);
}

TEST(LassoSearch, TheCounterexampleIsAPrefixAndALoop) {
  GraphSpace space(waits_for_flag());
  const CheckResult result = result_of(space, "F done");
  ASSERT_EQ(result.findings.size(), 1U);
  const CheckFinding& finding = result.findings.front();
  EXPECT_EQ(finding.failure.kind, FindingKind::Temporal);
  ASSERT_TRUE(finding.loop.has_value());
  EXPECT_LT(*finding.loop, finding.path.size());
}

TEST(LassoSearch, MistakesAreNamed) {
  GraphSpace space(waits_for_flag());
  const auto complaint = [&](const std::string& formula) {
    return complaint_about(space, {formula, Fairness::None});
  };
  EXPECT_EQ(complaint("G (flag"), "--ltl, column 8: a closing parenthesis is missing");
  EXPECT_EQ(complaint("F flags"), "--ltl: there is no global integer flags");
  EXPECT_EQ(complaint("F live(9)"), "--ltl: live(9): there is no thread 9; the last one is 2");
  EXPECT_EQ(complaint("F at(1)"),
            "--ltl: at(1) is not understood; write at(THREAD, LINE) or live(THREAD)");
}

// ---- random graphs ----

std::string random_formula(Random& random, int depth) {
  static const char* const kAtoms[] = {"x == 1", "y == 2", "x < y", "z", "live(1)"};
  if (depth == 0) return kAtoms[random.below(std::size(kAtoms))];
  const auto inner = [&] { return "(" + random_formula(random, depth - 1) + ")"; };
  switch (random.below(7)) {
    case 0:
      return "!" + inner();
    case 1:
      return inner() + " && " + inner();
    case 2:
      return inner() + " || " + inner();
    case 3:
      return "X " + inner();
    case 4:
      return inner() + " U " + inner();
    case 5:
      return "G " + inner();
    default:
      return "F " + inner();
  }
}

// Executions as sequences of states, letter by letter.
class Oracle {
 public:
  Oracle(GraphSpace& space, const std::string& formula) : space_(space) {
    EXPECT_FALSE(temporal::parse(formula, formulas_, formula_));
    std::string complaint;
    propositions_ = std::make_unique<Propositions>(space, formulas_.atoms(), complaint);
    EXPECT_EQ(complaint, "");
  }

  // Whether one of the executions of at most so many steps, or until there were enough of them,
  // that end or come back to a state breaks the formula.
  bool some_execution_breaks_it(size_t longest) {
    Bytes state(space_.state_size());
    const Outcome outcome = space_.initial(state.data());
    broken_ = false;
    looked_at_ = 0;
    extend(state, outcome, longest);
    return broken_;
  }

  // Whether the path of a finding is an execution that breaks it.
  bool is_broken_by(const CheckFinding& finding) {
    Bytes state(space_.state_size());
    Outcome outcome = space_.initial(state.data());
    temporal::Lasso lasso;
    std::vector<Bytes> states;
    const auto note = [&] {
      lasso.letters.push_back(
          propositions_->letter(space_, state.data(), outcome != Outcome::Running));
      states.push_back(state);
    };
    note();
    for (const Move move : finding.path) {
      if (outcome != Outcome::Running) return false;
      outcome = space_.take(state.data(), move, state.data());
      note();
    }
    lasso.loop = *finding.loop;
    if (lasso.loop < finding.path.size()) {
      if (states[lasso.loop] != states.back()) return false;
      lasso.letters.pop_back();
    }
    return !temporal::holds(formulas_, formula_, lasso);
  }

 private:
  void judge(size_t loop) {
    ++looked_at_;
    broken_ |= !temporal::holds(formulas_, formula_, {letters_, loop});
  }

  void extend(const Bytes& state, Outcome outcome, size_t longest) {
    if (broken_ || looked_at_ > 2'000 || outcome == Outcome::Dismissed || outcome == Outcome::Cut)
      return;
    for (size_t i = 0; i < path_.size() && outcome == Outcome::Running; ++i)
      if (path_[i] == state) judge(i);
    path_.push_back(state);
    letters_.push_back(propositions_->letter(space_, state.data(), outcome != Outcome::Running));
    std::vector<Move> moves;
    if (outcome == Outcome::Running) space_.moves(state.data(), moves);
    if (moves.empty()) judge(letters_.size() - 1);
    Bytes next(state.size());
    if (path_.size() <= longest)
      for (const Move move : moves) {
        const Outcome to = space_.take(state.data(), move, next.data());
        extend(next, to, longest);
      }
    path_.pop_back();
    letters_.pop_back();
  }

  GraphSpace& space_;
  temporal::Formulas formulas_;
  temporal::FormulaId formula_{};
  std::unique_ptr<Propositions> propositions_;
  std::vector<Bytes> path_;
  std::vector<uint64_t> letters_;
  bool broken_ = false;
  size_t looked_at_ = 0;
};

TEST(LassoSearch, RandomGraphsAgreeWithTheDefinition) {
  const uint64_t count = toy::sample_size(300);
  int broken = 0, kept = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    RandomGraphOptions options;
    options.most_actions = 3;
    GraphSpace space(RandomGraph(seed, options).make());
    Random random(seed * 7919);
    const std::string formula = random_formula(random, 1 + static_cast<int>(seed % 3));
    const CheckResult result = result_of(space, formula);
    Oracle oracle(space, formula);
    if (result.verdict == Verdict::Fail) {
      ++broken;
      EXPECT_TRUE(oracle.is_broken_by(result.findings.front())) << formula << ", seed " << seed;
    } else {
      ++kept;
      EXPECT_EQ(result.verdict, Verdict::Pass);
      EXPECT_FALSE(oracle.some_execution_breaks_it(14)) << formula << ", seed " << seed;
    }
  }
  EXPECT_GT(broken, static_cast<int>(count / 10));
  EXPECT_GT(kept, static_cast<int>(count / 10));
}

}  // namespace
}  // namespace heddle::explicit_states
