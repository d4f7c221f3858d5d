// A strategy around a reduction that now and then goes for a walk, to estimate how many executions
// the search will need in all.
//
// The walks (class_walk.h) are executions beside those of the search: they count for nothing but
// the estimate (Strategy::is_probe), unless they find a bug. There are none before the search has
// made some thousand executions, so that short ones are not disturbed, and then so few that they
// cost little: a part of the steps that the search has taken, and less when there were many. The
// first of them teach the walk where threads meet, and are not counted. How many there are of each
// does not depend on what they weigh: who stops when the numbers look good is biased.
//
// What is estimated is the number of classes. For optimal-dpor this is the number of executions.
// The other reductions finish each class once, too, but abandon further executions on the way, of
// which nothing is known but how many there were so far: as many for each class are expected of the
// rest. That part is a guess, and how far it is off nobody knows.
//
// An execution after which nothing can go on, because the process died, ends the estimate: the
// search cannot see all classes then, nor can the walks.
#pragma once

#include <memory>

#include "strategies/class_walk.h"
#include "strategies/forwarding.h"
#include "strategies/log_mean.h"

namespace heddle {

class Estimating final : public Forwarding {
 public:
  Estimating(std::unique_ptr<Strategy> inner, uint64_t seed);

  bool begin_execution() override;
  std::span<const Transition> prefix() const override;
  uint32_t prefix_preemptions() const override;
  void start_over() override;
  void attach(const Executor& executor) override;
  Transition choose(const Configuration& configuration) override;
  void step_failed() override;
  bool isolate_failure(Schedule& schedule) const override;
  void stuck(const Configuration& configuration) override;
  void end_execution(const ExecutionSummary& summary) override;
  Share share() const override;
  bool is_probe() const override { return walking_; }
  Divisible* divisible() override { return current_->divisible(); }

 private:
  bool time_for_a_walk() const;

  const std::unique_ptr<Strategy> inner_;
  const uint64_t seed_;
  RandomDice dice_;
  ClassWalk walk_;
  LogMean classes_;
  uint64_t walks_ = 0;
  uint64_t cost_ = 0;        // of the walks, in steps
  uint64_t steps_ = 0;       // of the search
  uint64_t executions_ = 0;  // of the search
  uint64_t finished_ = 0;    // of these: not abandoned
  bool ready_ = false;       // the search has begun an execution that waits for the walk to end
  bool walking_ = false;
  bool given_up_ = false;
};

}  // namespace heddle
