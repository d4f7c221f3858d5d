// A wish rather than a replay: the steps of another execution in an order that may not be possible.
// A step whose thread cannot move is put off until it can, the order of each thread's own steps is
// kept, and when all have been taken the last thread runs on. Minimisation (explore/minimise.h)
// tries variations of a schedule this way.
#include "strategies/follow.h"

#include <utility>

namespace heddle {
namespace {

class Follow final : public StrategyBase {
 public:
  explicit Follow(const Schedule& wanted) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      const size_t thread = index(wanted[i].thread);
      if (thread >= wishes_.size()) wishes_.resize(thread + 1);
      wishes_[thread].steps.push_back({i, wanted[i].choice});
    }
  }

  bool begin_execution() override { return !std::exchange(begun_, true); }
  std::span<const Transition> prefix() const override { return {}; }
  uint32_t prefix_preemptions() const override { return 0; }

  // Of the threads that can take their next wished step, the one whose step comes first.
  Transition choose(const Configuration& configuration) override {
    Wishes* first = nullptr;
    ThreadId thread = kNoThread;
    for (const ThreadView& view : configuration.live) {
      if (index(view.id) >= wishes_.size()) break;
      Wishes& wishes = wishes_[index(view.id)];
      if (wishes.done() || wishes.next().choice >= view.choices) continue;
      if (first != nullptr && first->next().position < wishes.next().position) continue;
      first = &wishes;
      thread = view.id;
    }
    if (first == nullptr) return run_on(configuration);
    const uint32_t choice = first->next().choice;
    ++first->taken;
    return {thread, choice};
  }

  void end_execution(const ExecutionSummary&) override {}
  bool complete() const override { return false; }
  std::string guarantee() const override { return "one execution"; }

 private:
  struct Wish {
    size_t position;  // in the schedule
    uint32_t choice;
  };
  struct Wishes {  // of one thread
    std::vector<Wish> steps;
    size_t taken = 0;

    bool done() const { return taken == steps.size(); }
    const Wish& next() const { return steps[taken]; }
  };

  static Transition run_on(const Configuration& configuration) {
    const ThreadView* last = configuration.find(configuration.last);
    if (last != nullptr && last->enabled()) return {last->id, 0};
    for (const ThreadView& view : configuration.live)
      if (view.enabled()) return {view.id, 0};
    return kAbandon;
  }

  std::vector<Wishes> wishes_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_follow(const Schedule& wanted) {
  return std::make_unique<Follow>(wanted);
}

}  // namespace heddle
