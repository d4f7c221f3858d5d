// Coverage, measured as in the papers.
//
// Problem. How much of a program has a search seen? Executions say little, since many of them are
// the same but for the order of independent steps.
//
// Idea (Musuvathi, Qadeer, PLDI 2007, section 4.1; Florian, section 6). Count the distinct
// happens-before states that executions pass through, and those in which they end. The counter is a
// strategy around the real one: it sees every configuration and every choice.
//
// A known prefix would be run without asking the strategy; so the wrapper claims to have none, and
// makes the choices of the prefix itself. This costs time, and a program that does not follow the
// prefix is abandoned there instead of being reported.
//
// Guarantee. That of the strategy inside. Memory: 16 to 32 bytes for each state.
#include "strategies/coverage.h"

#include <utility>

#include "states/state_set.h"
#include "states/state_tracker.h"
#include "strategies/forwarding.h"

namespace heddle {
namespace {

class Coverage final : public Forwarding {
 public:
  Coverage(std::unique_ptr<Strategy> inner, CoverageLog& log)
      : inner_(std::move(inner)), log_(log) {
    current_ = inner_.get();
    log_.clear();  // of a search that began before the program had the steps it has now
  }

  bool begin_execution() override {
    tracker_.clear();
    steps_ = 0;
    const bool more = inner_->begin_execution();
    known_steps_ = inner_->prefix().size();
    return more;
  }
  std::span<const Transition> prefix() const override { return {}; }
  uint32_t prefix_preemptions() const override { return 0; }

  Transition choose(const Configuration& configuration) override {
    const std::span<const Transition> known = inner_->prefix();
    const Transition chosen = steps_ < known.size() ? known[steps_] : inner_->choose(configuration);
    const ThreadView* view = configuration.find(chosen.thread);
    if (chosen == kAbandon || view == nullptr) return kAbandon;
    if (chosen.choice >= view->choices && view->spin == Spin::None) return kAbandon;
    ++steps_;
    if (is_probe()) return chosen;
    tracker_.extend(view->next, chosen.choice);
    states_.insert(tracker_.hash());
    return chosen;
  }

  void step_failed() override {
    if (steps_ >= known_steps_) inner_->step_failed();
  }
  bool isolate_failure(Schedule& schedule) const override {
    return steps_ >= known_steps_ && inner_->isolate_failure(schedule);
  }

  void end_execution(const ExecutionSummary& summary) override {
    if (is_probe()) return inner_->end_execution(summary);
    const bool whole = summary.ending != Ending::Abandoned && summary.ending != Ending::Pruned;
    if (whole && steps_ > 0) terminal_states_.insert(tracker_.hash());
    inner_->end_execution(summary);
    log_.add({++executions_, states_.size(), terminal_states_.size(), inner_->bound()});
  }

 private:
  std::unique_ptr<Strategy> inner_;
  CoverageLog& log_;
  StateTracker tracker_;
  StateSet states_, terminal_states_;
  size_t steps_ = 0;  // in the execution under way
  size_t known_steps_ = 0;
  uint64_t executions_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> with_coverage(std::unique_ptr<Strategy> inner, CoverageLog& log) {
  return std::make_unique<Coverage>(std::move(inner), log);
}

}  // namespace heddle
