// What a search has found and counted, and when it has to end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "explicit/options.h"
#include "explicit/result.h"

namespace heddle::explicit_states {

class Ledger {
 public:
  explicit Ledger(const CheckOptions& options) : options_(options) {
    result_.coverage.reduction = options.reduction;
    result_.coverage.storage = options.storage;
  }

  CheckResult& result() { return result_; }
  const CheckOptions& options() const { return options_; }

  bool ended() const { return result_.coverage.incomplete != Incomplete::No; }
  void end(Incomplete why) {
    if (!ended()) result_.coverage.incomplete = why;
  }

  // Whether the failure is one that was not seen before.
  bool is_new(const Failure& failure) const {
    return std::none_of(
        result_.findings.begin(), result_.findings.end(),
        [&](const CheckFinding& finding) { return same_bug(finding.failure, failure); });
  }
  void add(Failure failure, std::vector<Move> path, uint32_t preemptions = 0) {
    add({std::move(failure), std::move(path), preemptions});
  }
  void add(CheckFinding finding) {
    result_.findings.push_back(std::move(finding));
    if (!options_.keep_going) end(Incomplete::FirstFinding);
  }
  void add_bound(const std::string& bound) {
    auto& beyond = result_.coverage.beyond;
    if (std::find(beyond.begin(), beyond.end(), bound) == beyond.end()) beyond.push_back(bound);
  }

  // Limits are looked at again after so many new states.
  static constexpr uint32_t kBetweenChecks = 1024;

  // Once for each state that is stored. `bytes`: the most that will be needed until the next look.
  void check_limits(uint64_t states, auto&& bytes) {
    if (states >= std::min(options_.max_states, kMostStates)) end(Incomplete::StateLimit);
    if (++since_check_ < kBetweenChecks) return;
    since_check_ = 0;
    if (bytes() > options_.memory_limit) end(Incomplete::Memory);
    if (options_.stop && options_.stop()) end(Incomplete::Stopped);
  }

 private:
  const CheckOptions& options_;
  CheckResult result_;
  uint32_t since_check_ = 0;
};

}  // namespace heddle::explicit_states
