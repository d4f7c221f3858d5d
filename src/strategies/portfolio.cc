// Several strategies one after the other: what `heddle check` does if it is not told otherwise.
//
// Problem. Whoever calls the tool does not know yet whether the program is small enough to be
// explored completely, nor whether it has a bug that a few good samples would show.
//
// Idea. Cheap things first, each with a budget, so that none can starve the others:
//  1. Sampling (rff): most bugs show within a few dozen executions that aim at new behaviour. After
//     the first few optimal-dpor takes a glance: programs of a handful of classes are done with it,
//     which matters where an execution takes seconds.
//  2. A first part of optimal-dpor: small programs are done with it, completely.
//  3. Bounds 0, 1 and 2 with reduction (dpor with a bound): should time run out, this is what can
//  be
//     said for certain.
//  4. optimal-dpor again, from where it stopped, until the end.
// In the third and the fourth part every other batch of executions is sampled, by rff, pos, pct and
// delays in turn: bugs that lie deep need a hundred thousand samples, and the bounds may take for
// ever. A batch of samples takes as many steps as the batch of the search before it, so that this
// costs half of the time at most and the same program is always searched in the same way. What the
// search itself does, it does as if there were no samples.
// With --bound=N the third part goes to N and is the last, and the second is left out.
//
// A program whose first execution leaves nothing to choose has no other.
//
// Where executions are very long, reasoning about the races of whole executions costs more than
// making them; then icb takes the place of the reductions in the third part and the second is left
// out.
//
// Guarantee. That of its parts: everything once the fourth is done, else the largest bound done.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "strategies/forwarding.h"
#include "strategies/registry.h"
#include "strategies/restartable.h"

namespace heddle {
namespace {

constexpr uint64_t kSamples = 300;
constexpr uint64_t kSampleSteps = 300'000;
constexpr uint64_t kFirstSamples = 10;
constexpr uint64_t kGlance = 10;         // executions of optimal-dpor between the samples
constexpr uint64_t kFirstLook = 20'000;  // executions of optimal-dpor before the bounds
constexpr uint64_t kFirstLookSteps = 2'000'000;
constexpr int32_t kLargestBound = 2;
constexpr uint64_t kLong = 4000;  // steps of an execution
constexpr uint64_t kBatch = 100;  // executions of the search between two batches of samples

class Portfolio final : public Forwarding {
 public:
  explicit Portfolio(const RunOptions& options)
      : options_(options), bounded_only_(options.bound >= 0), sampler_(make_rff(plain())) {
    current_ = search_ = sampler_.get();
  }

  bool begin_execution() override {
    if (begin_sample()) return true;
    current_ = search_;
    while (part_ != Part::Done) {
      if (!spent() && current_->begin_execution()) return true;
      next_part();
    }
    return false;
  }

  Transition choose(const Configuration& c) override {
    if (!any_choice_) any_choice_ = ways(c) > 1;
    return current_->choose(c);
  }
  void start_over() override {
    current_->start_over();
    if (search_ != current_) search_->start_over();
    if (whole_ != nullptr && whole_.get() != search_) whole_->start_over();
    for (const std::unique_ptr<Strategy>& sampler : samplers_)
      if (sampler.get() != current_) sampler->start_over();
  }
  bool first_samples() const override {
    return part_ == Part::FirstSamples || part_ == Part::Glance ||
           (part_ == Part::Sampling && !spent());
  }
  void end_execution(const ExecutionSummary& summary) override {
    if (is_probe()) return current_->end_execution(summary);
    if (sampling()) {
      batch_steps_ -= std::min(batch_steps_, std::max<uint64_t>(1, summary.steps));
      return current_->end_execution(summary);
    }
    ++executions_;
    steps_ += summary.steps;
    ++batch_;
    batch_steps_ += summary.steps;
    if (summary.steps > longest_) longest_ = summary.steps;
    current_->end_execution(summary);
    only_one_ = !any_choice_ && summary.ending == Ending::Finished;
    if (only_one_) part_ = Part::Done;
  }

  bool complete() const override {
    if (only_one_) return true;
    return bounded_only_ ? bounds_done_ == options_.bound : whole_ != nullptr && whole_->complete();
  }
  std::string guarantee() const override {
    if (only_one_) return "all executions: there is only one";
    if (whole_ != nullptr && whole_->complete()) return whole_->guarantee();
    if (bounds_done_ >= 0) return guarantee_of_bounds_;
    return "";
  }
  StrategyTraits traits() const override {
    StrategyTraits traits = current_->traits();
    traits.found_first = strategy_info(StrategyId::portfolio).found_first;
    return traits;
  }
  int bound() const override { return part_ == Part::Bounds ? search_->bound() : -1; }
  Share share() const override { return search_->share(); }

 private:
  static uint32_t ways(const Configuration& configuration) {
    uint32_t count = 0;
    for (const ThreadView& view : configuration.live) count += view.choices;
    return count;
  }

  enum class Part : uint8_t { FirstSamples, Glance, Sampling, FirstLook, Bounds, Whole, Done };

  bool sampling() const { return current_ != search_; }

  // Begins an execution of a batch of samples if one is due or under way.
  bool begin_sample() {
    if (part_ != Part::Bounds && part_ != Part::Whole) return false;
    if (!sampling() && batch_ < kBatch) return false;
    if (!sampling()) {
      if (samplers_.empty()) make_samplers();
      current_ = samplers_[next_sampler_++ % samplers_.size()].get();
      batch_ = 0;
    }
    if (batch_steps_ > 0 && current_->begin_execution()) return true;
    batch_steps_ = 0;
    return false;
  }

  void make_samplers() {
    RunOptions options = plain();
    options.seed = options_.seed + 1;  // not the first samples once more
    samplers_.push_back(make_rff(options));
    samplers_.push_back(make_pos(options));
    samplers_.push_back(make_pct(options));
    samplers_.push_back(std::make_unique<Restartable>(make_delays, options));
  }

  bool spent() const {
    if (part_ == Part::FirstSamples) return executions_ >= kFirstSamples;
    if (part_ == Part::Glance) return executions_ >= kGlance;
    if (part_ == Part::Sampling)
      return executions_ >= kSamples - kFirstSamples || steps_ >= kSampleSteps;
    if (part_ == Part::FirstLook) return executions_ >= kFirstLook || steps_ >= kFirstLookSteps;
    return false;
  }

  RunOptions plain() const {
    RunOptions options = options_;
    options.bound = -1;
    return options;
  }

  void next_part() {
    switch (part_) {
      case Part::FirstSamples:
        if (bounded_only_ || longest_ > kLong) return start(Part::Sampling, sampler_.get());
        whole_ = make_optimal_dpor(plain());
        return start(Part::Glance, whole_.get());
      case Part::Glance:
        if (whole_->complete()) return start(Part::Done, whole_.get());
        return start(Part::Sampling, sampler_.get());
      case Part::Sampling:
        sampler_.reset();
        if (bounded_only_ || longest_ > kLong) return start_bound(0);
        if (whole_ == nullptr) whole_ = make_optimal_dpor(plain());
        return start(Part::FirstLook, whole_.get());
      case Part::FirstLook:
        if (whole_->complete()) return start(Part::Done, whole_.get());
        return start_bound(0);
      case Part::Bounds: {
        const int32_t done = current_->bound();
        if (current_->complete()) {
          bounds_done_ = done;
          guarantee_of_bounds_ = current_->guarantee();
        }
        if (done < largest_bound()) return start_bound(done + 1);
        if (bounded_only_) return start(Part::Done, current_);
        if (whole_ == nullptr) whole_ = make_optimal_dpor(plain());
        return start(Part::Whole, whole_.get());
      }
      case Part::Whole:
      case Part::Done:
        part_ = Part::Done;
    }
  }

  int32_t largest_bound() const { return bounded_only_ ? options_.bound : kLargestBound; }

  void start_bound(int32_t bound) {
    RunOptions options = options_;
    options.bound = bound;
    bounded_ =
        longest_ > kLong ? std::make_unique<Restartable>(make_icb, options) : make_dpor(options);
    start(Part::Bounds, bounded_.get());
  }

  void start(Part part, Strategy* strategy) {
    part_ = part;
    current_ = search_ = strategy;
    executions_ = steps_ = batch_ = batch_steps_ = 0;
  }

  const RunOptions options_;
  const bool bounded_only_;
  Part part_ = Part::FirstSamples;
  uint64_t executions_ = 0;  // of this part
  uint64_t steps_ = 0;
  uint64_t longest_ = 0;
  bool any_choice_ = false;  // there was more than one way to go on, once at least
  bool only_one_ = false;
  std::unique_ptr<Strategy> sampler_, bounded_, whole_;
  Strategy* search_ = nullptr;  // what the part consists of; current_ may be a sampler
  std::vector<std::unique_ptr<Strategy>> samplers_;  // between its batches
  size_t next_sampler_ = 0;
  uint64_t batch_ = 0;        // executions of the search since the last batch of samples
  uint64_t batch_steps_ = 0;  // their steps, less those of the samples since
  int32_t bounds_done_ = -1;
  std::string guarantee_of_bounds_;
};

}  // namespace

std::unique_ptr<Strategy> make_portfolio(const RunOptions& options) {
  return std::make_unique<Portfolio>(options);
}

}  // namespace heddle
