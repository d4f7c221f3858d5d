// A wish rather than a replay: the steps of another execution in an order that may not be possible.
// A step whose thread cannot move is put off until it can, the order of each thread's own steps is
// kept, and when all have been taken the last thread runs on. Minimisation (explore/minimise.h)
// tries variations of a schedule this way.
#include "strategies/follow.h"

#include <utility>

namespace heddle {
namespace {

class Follow final : public Strategy {
 public:
  explicit Follow(Schedule wanted) : wanted_(std::move(wanted)), taken_(wanted_.size(), false) {}

  bool begin_execution() override { return !std::exchange(begun_, true); }
  std::span<const Transition> prefix() const override { return {}; }
  uint32_t prefix_preemptions() const override { return 0; }

  Transition choose(const Configuration& configuration) override {
    while (next_ < wanted_.size() && taken_[next_]) ++next_;
    for (size_t i = next_; i < wanted_.size() && i < next_ + kLookAhead; ++i) {
      if (taken_[i] || put_off(i)) continue;
      const ThreadView* view = configuration.find(wanted_[i].thread);
      if (view == nullptr || wanted_[i].choice >= view->choices) continue;
      taken_[i] = true;
      return wanted_[i];
    }
    return run_on(configuration);
  }

  void end_execution(const ExecutionSummary&) override {}
  bool complete() const override { return false; }
  std::string guarantee() const override { return "one execution"; }

 private:
  static constexpr size_t kLookAhead = 1000;

  // An earlier step of the same thread has not been taken yet.
  bool put_off(size_t position) const {
    for (size_t i = next_; i < position; ++i)
      if (!taken_[i] && wanted_[i].thread == wanted_[position].thread) return true;
    return false;
  }

  static Transition run_on(const Configuration& configuration) {
    const ThreadView* last = configuration.find(configuration.last);
    if (last != nullptr && last->enabled()) return {last->id, 0};
    for (const ThreadView& view : configuration.live)
      if (view.enabled()) return {view.id, 0};
    return kAbandon;
  }

  Schedule wanted_;
  std::vector<bool> taken_;
  size_t next_ = 0;  // all before it have been taken
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_follow(Schedule wanted) {
  return std::make_unique<Follow>(std::move(wanted));
}

}  // namespace heddle
