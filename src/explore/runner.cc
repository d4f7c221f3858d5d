#include "explore/runner.h"

namespace heddle {

EndReason run_all(Explorer& explorer, ExploreObserver& observer, Runner& runner,
                  BetweenExecutions& between) {
  while (explorer.begin_execution(observer)) {
    if (runner.run(explorer, observer, [&] { return between.due(); }) == Runner::Outcome::Ended)
      break;
    between.settle();
  }
  return explorer.end_reason();
}

EndReason run_all(Explorer& explorer, ExploreObserver& observer, Runner& runner) {
  BetweenExecutions nothing;
  return run_all(explorer, observer, runner, nothing);
}

EndReason Explorer::run(Executor& executor, ExploreObserver& observer) {
  PlainRunner runner(executor);
  return run_all(*this, observer, runner);
}

}  // namespace heddle
