// A strategy that starts over by being made anew.
#pragma once

#include <memory>

#include "model/run_options.h"
#include "strategies/forwarding.h"

namespace heddle {

class Restartable final : public Forwarding {
 public:
  using Make = std::unique_ptr<Strategy> (*)(const RunOptions& options);

  Restartable(Make make, const RunOptions& options) : make_(make), options_(options) { renew(); }
  void start_over() override { renew(); }
  Divisible* divisible() override { return current_->divisible(); }

 private:
  void renew() {
    inner_ = make_(options_);
    current_ = inner_.get();
  }

  const Make make_;
  const RunOptions options_;
  std::unique_ptr<Strategy> inner_;
};

}  // namespace heddle
