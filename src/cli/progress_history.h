// How the search went, as a few hundred samples for a plot.
#pragma once

#include <vector>

#include "channel/channel.h"
#include "report/run_result.h"

namespace heddle {

class ProgressHistory {
 public:
  void note(const Progress& progress, double elapsed) {
    if (!samples_.empty() && elapsed - samples_.back().seconds < interval_) return;
    samples_.push_back({elapsed, progress.executions, progress.failing_executions, progress.bound});
    if (samples_.size() < kMost) return;
    for (size_t i = 0; 2 * i < samples_.size(); ++i) samples_[i] = samples_[2 * i];
    samples_.resize((samples_.size() + 1) / 2);
    interval_ = samples_.back().seconds / static_cast<double>(samples_.size());
  }

  std::vector<ProgressSample> take(const Progress& progress, double elapsed) {
    interval_ = 0;
    note(progress, elapsed);
    samples_.insert(samples_.begin(), ProgressSample{});  // so that a short run has a curve, too
    return std::move(samples_);
  }

 private:
  static constexpr size_t kMost = 600;
  std::vector<ProgressSample> samples_;
  double interval_ = 0;
};

}  // namespace heddle
