#include "toy/enumerate.h"

namespace heddle::toy {
namespace {

class Enumerator {
 public:
  Enumerator(Executor& executor, size_t limit, const std::function<uint64_t()>& fingerprint)
      : executor_(executor), limit_(limit), fingerprint_(fingerprint) {}

  // `last` is the action by which the node was reached.
  void visit(uint32_t preemptions, const Action* last) {
    if (result.executions.size() > limit_) return;
    executor_.reset();
    for (Transition transition : schedule_) executor_.step(transition);
    if (executor_.status() != Status::Running) return leaf(preemptions, outcome());
    const std::vector<ThreadView> threads = executor_.configuration().live;
    const bool last_could_go_on = last != nullptr && can_go_on(threads, *last);
    bool any = false;
    for (const ThreadView& view : threads) {
      const bool preempts = last_could_go_on && view.id != last->thread;
      for (uint32_t choice = 0; choice < view.choices; ++choice) {
        any = true;
        schedule_.push_back({view.id, choice});
        visit(preemptions + preempts, &view.next);
        schedule_.pop_back();
      }
    }
    if (!any) leaf(preemptions, Outcome::Deadlock);
  }

  Enumeration result;

 private:
  Outcome outcome() const {
    if (executor_.status() == Status::Failed) return Outcome::Failed;
    return executor_.status() == Status::Dismissed ? Outcome::Dismissed : Outcome::Finished;
  }

  static bool can_go_on(const std::vector<ThreadView>& threads, const Action& last) {
    if (last.op == Op::Yield || last.op == Op::Sleep) return false;
    for (const ThreadView& view : threads)
      if (view.id == last.thread && view.choices > 0) return true;
    return false;
  }

  void leaf(uint32_t preemptions, Outcome outcome) {
    result.executions.push_back({schedule_, preemptions, outcome, fingerprint_()});
  }

  Executor& executor_;
  const size_t limit_;
  const std::function<uint64_t()>& fingerprint_;
  Schedule schedule_;
};

}  // namespace

Enumeration enumerate(Executor& executor, size_t limit,
                      const std::function<uint64_t()>& fingerprint) {
  Enumerator enumerator(executor, limit, fingerprint);
  enumerator.visit(0, nullptr);
  enumerator.result.complete = enumerator.result.executions.size() <= limit;
  return std::move(enumerator.result);
}

}  // namespace heddle::toy
