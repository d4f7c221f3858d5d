// Where executions of the native executor run.
#pragma once

#include "explore/runner.h"
#include "runtime/session/checkpoints.h"

namespace heddle {

// From the beginning, in this process or in a child.
class NativeRunner final : public Runner {
 public:
  explicit NativeRunner(bool forks) : forks_(forks) {}
  Outcome run(Explorer& explorer, ExploreObserver& observer,
              const std::function<bool()>& due) override;
  void run_apart(const std::function<void()>& work) override;
  bool in_children() const override { return forks_; }

 private:
  const bool forks_;
};

// The same, and from checkpoints where that pays off.
class CheckpointRunner final : public Runner {
 public:
  explicit CheckpointRunner(CheckpointChainState& state) : state_(state) {}
  Outcome run(Explorer& explorer, ExploreObserver& observer,
              const std::function<bool()>& due) override;

 private:
  CheckpointChainState& state_;
};

}  // namespace heddle
