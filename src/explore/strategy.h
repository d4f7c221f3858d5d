// Which schedule to try next: one small interface, one file per strategy (src/strategies/).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "explore/configuration.h"
#include "explore/spin_monitor.h"
#include "model/schedule.h"

namespace heddle {

class Divisible;
class Executor;

// Why an execution went no further than its last step.
enum class Ending : uint8_t {
  Finished,   // the program has ended by itself
  Failed,     // the last step was a bug, broke an assumption, or took the process with it
  Stuck,      // no thread was enabled
  Pruned,     // likewise, but some thread only because it made a round of a loop for nothing
  TooLong,    // it reached the limit of steps
  Abandoned,  // the strategy asked for no more of it
  Diverged,   // the program did not follow the prefix
};

struct ExecutionSummary {
  uint64_t steps = 0;
  uint32_t preemptions = 0;
  bool failed = false;     // ended with a finding
  bool dismissed = false;  // a step broke an assumption: what follows counts no more
  bool is_probe = false;   // none of the search's own
  Ending ending = Ending::Finished;
};

// How far a search is in its tree, if all branches of a configuration were equally large: the part
// that lies behind it (Knuth, "Estimating the efficiency of backtrack programs", 1975; as an
// estimate from a search under way: Kilby, Slaney, Thiebaux, Walsh, AAAI 2006), and with how many
// executions. Some know more: how many there are in all, from samples, without a bias.
struct Share {
  double part = 0;  // 0: not known
  uint64_t executions = 0;
  double whole = 0;  // executions in all; 0: not known
  double error = 0;  // the standard error of that, as a part of it
};

// That part for a search whose path has these nodes: `branches` says how many one has, as far as is
// known, of which node.done lie behind the search.
template <typename Nodes, typename Branches>
Share share_of_path(const Nodes& nodes, Branches branches, uint64_t executions) {
  double begin = 0, width = 1;
  for (const auto& node : nodes) {
    width /= static_cast<double>(branches(node));
    begin += width * static_cast<double>(node.done);
  }
  return {begin + width, executions};
}

// How many executions there will be.
struct Estimate {
  uint64_t executions = 0;  // 0: nobody knows
  double error = 0;         // relative standard error; 0: not known, or none
};

// Of choose(): going on would only repeat what has been seen.
inline constexpr Transition kAbandon = kNoTransition;

// Of the executions that show a bug, the one that is found first is ...
enum class FoundFirst : uint8_t {
  Any,
  FewestPreemptions,  // one with the fewest preemptions possible
  Simplest,           // the one to report, by a measure of the strategy's own
};

// What never changes about a strategy; columns of the table in strategies/strategy_table.h.
struct StrategyTraits {
  bool samples = false;  // executions are drawn one by one, nothing is concluded from earlier ones
  // It draws conclusions from what all threads do, and wants to see what the others do after one
  // has failed (Executor::continue_without_failed_thread); asked where the search goes on after
  // findings.
  bool continues_after_failure = false;
  FoundFirst found_first = FoundFirst::Any;
};

// All pure, so that a strategy around another one cannot forget to pass something on; the usual
// answers are those of StrategyBase.
class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual StrategyTraits traits() const = 0;

  // Begins the next execution; false when there is none left. Called once before each execution.
  virtual bool begin_execution() = 0;

  // The transitions of the coming execution that are already decided, from the initial state on.
  // The explorer takes them without asking; choose() is asked only after them. `choose` is never
  // called for the configurations inside the prefix.
  virtual std::span<const Transition> prefix() const = 0;
  // How many preemptions that prefix contains.
  virtual uint32_t prefix_preemptions() const = 0;

  // How threads that wait in loops are to be treated in the coming execution.
  virtual Spinning spinning() const = 0;
  // The program takes other steps from now on (more loops are known): what was concluded from
  // earlier executions may not hold. Called between executions.
  virtual void start_over() = 0;

  // Whether the execution under way, or just ended, is none of the search's own and does not count,
  // but for bugs that it finds.
  virtual bool is_probe() const = 0;

  // Whether it is still drawing the first samples, among which a failure may follow a finding that
  // is less than that.
  virtual bool first_samples() const = 0;

  // Called when an execution begins, for strategies that look at more than configurations.
  virtual void attach(const Executor&) = 0;

  // Picks one transition, or kAbandon; at least one thread of the configuration is enabled.
  virtual Transition choose(const Configuration& configuration) = 0;

  // The last step has failed; said once for every step, not again where a prefix repeats it.
  virtual void step_failed() = 0;
  // Of an execution in which a step has failed before, another has now. The schedule of an
  // execution with the new failure alone; false if there is none.
  virtual bool isolate_failure(Schedule&) const = 0;

  // The execution ends here, because no thread is enabled. end_execution() follows.
  virtual void stuck(const Configuration&) = 0;

  virtual void end_execution(const ExecutionSummary& summary) = 0;

  // Everything this strategy is meant to cover has been covered (false for samplers).
  virtual bool complete() const = 0;

  // What has been covered so far, without a final period; "" if nothing. Valid at any time.
  virtual std::string guarantee() const = 0;

  // For an estimate of what is to come; of the bound under exploration, where there is one.
  virtual Share share() const = 0;

  // What is wrong with what the user has given it to work by, as a sentence without a final period;
  // the search ends with that. Empty: nothing.
  virtual std::string_view mistake() const = 0;

  // The largest preemption bound under exploration, or -1 where the strategy has none.
  virtual int bound() const = 0;

  // Null: its parts cannot be searched apart from each other.
  virtual Divisible* divisible() = 0;
};

class StrategyBase : public Strategy {
 public:
  explicit StrategyBase(StrategyTraits traits = {}) : traits_(traits) {}

  StrategyTraits traits() const final { return traits_; }
  Spinning spinning() const override { return Spinning::Wait; }
  void start_over() override {}
  bool is_probe() const override { return false; }
  bool first_samples() const override { return false; }
  void attach(const Executor&) override {}
  void step_failed() override {}
  bool isolate_failure(Schedule&) const override { return false; }
  void stuck(const Configuration&) override {}
  Share share() const override { return {}; }
  std::string_view mistake() const override { return {}; }
  int bound() const override { return -1; }
  Divisible* divisible() override { return nullptr; }

 private:
  const StrategyTraits traits_;
};

}  // namespace heddle
