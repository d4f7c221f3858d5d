// Where executions run: in this process, in children of it, or from a point in the middle.
#pragma once

#include <cstdint>
#include <functional>

#include "explore/explorer.h"

namespace heddle {

class Runner {
 public:
  enum class Outcome : uint8_t {
    Finished,  // the execution that had begun, and perhaps some after it
    Ended,     // and the search has nothing left
  };

  virtual ~Runner() = default;

  // Runs the execution that has begun. May go on with those after it, but not once `due` is true
  // after one.
  virtual Outcome run(Explorer& explorer, ExploreObserver& observer,
                      const std::function<bool()>& due) = 0;
  // Other work that runs the program. What it leaves behind must lie in memory that survives the
  // process it runs in.
  virtual void run_apart(const std::function<void()>& work) { work(); }
  // Whether executions run in processes of their own, so that this one survives all of them.
  virtual bool in_children() const { return false; }
};

// One execution after the other, in this process.
class PlainRunner final : public Runner {
 public:
  explicit PlainRunner(Executor& executor) : executor_(executor) {}

  Outcome run(Explorer& explorer, ExploreObserver& observer,
              const std::function<bool()>&) override {
    explorer.explore_one(executor_, observer);
    explorer.finish_execution(observer);
    return Outcome::Finished;
  }

 private:
  Executor& executor_;
};

// What is to be done between executions.
class BetweenExecutions {
 public:
  virtual ~BetweenExecutions() = default;
  virtual bool due() { return false; }  // may be asked in another process
  virtual void settle() {}
};

// The loop: executions until the strategy has nothing left or a limit is reached.
EndReason run_all(Explorer& explorer, ExploreObserver& observer, Runner& runner,
                  BetweenExecutions& between);
EndReason run_all(Explorer& explorer, ExploreObserver& observer, Runner& runner);

}  // namespace heddle
