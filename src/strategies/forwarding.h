// A strategy that lets another one do the work, and may put a third in its place later.
#pragma once

#include <string>

#include "explore/strategy.h"

namespace heddle {

class Forwarding : public Strategy {
 public:
  StrategyTraits traits() const override { return current_->traits(); }
  bool begin_execution() override { return current_->begin_execution(); }
  std::span<const Transition> prefix() const override { return current_->prefix(); }
  uint32_t prefix_preemptions() const override { return current_->prefix_preemptions(); }
  Spinning spinning() const override { return current_->spinning(); }
  void start_over() override { current_->start_over(); }
  bool first_samples() const override { return current_->first_samples(); }
  bool is_probe() const override { return current_->is_probe(); }
  void attach(const Executor& executor) override { current_->attach(executor); }
  Transition choose(const Configuration& c) override { return current_->choose(c); }
  void step_failed() override { current_->step_failed(); }
  bool isolate_failure(Schedule& schedule) const override {
    return current_->isolate_failure(schedule);
  }
  void stuck(const Configuration& c) override { current_->stuck(c); }
  void end_execution(const ExecutionSummary& summary) override { current_->end_execution(summary); }
  bool complete() const override { return current_->complete(); }
  std::string guarantee() const override { return current_->guarantee(); }
  Share share() const override { return current_->share(); }
  std::string_view mistake() const override { return current_->mistake(); }
  int bound() const override { return current_->bound(); }
  // Those that add nothing of their own to the search say otherwise.
  Divisible* divisible() override { return nullptr; }

 protected:
  Strategy* current_ = nullptr;
};

}  // namespace heddle
