// What strategies that draw executions one by one have in common: none of them has a prefix, and
// none ever ends.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "explore/strategy.h"
#include "strategies/strategy_table.h"

namespace heddle {

class Sampler : public StrategyBase {
 public:
  explicit Sampler(StrategyId id) : StrategyBase(strategy_info(id).traits()) {}

  std::span<const Transition> prefix() const final { return {}; }
  uint32_t prefix_preemptions() const final { return 0; }
  void end_execution(const ExecutionSummary&) override { ++drawn_; }
  bool complete() const final { return false; }

 protected:
  uint64_t drawn() const { return drawn_; }
  // "3 executions"
  std::string count_drawn() const {
    return std::to_string(drawn_) + (drawn_ == 1 ? " execution" : " executions");
  }
  std::string no_guarantee(std::string_view how) const {
    return count_drawn() + " " + std::string(how) + "; nothing is certain about the others";
  }

 private:
  uint64_t drawn_ = 0;
};

}  // namespace heddle
