// The search up to reads from, or else optimal DPOR.
//
// Reads from does not describe all that programs do (reads_from_dpor.cc, limits). From the first
// execution on that shows something else the program is explored by optimal DPOR, from the
// beginning; it distinguishes more. The guarantee says which of the two it was, and why.
#include "strategies/reads_from_or_else.h"

#include <memory>
#include <string>

#include "strategies/forwarding.h"
#include "strategies/reads_from_dpor.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

class ReadsFromOrElse final : public Forwarding {
 public:
  explicit ReadsFromOrElse(const RunOptions& options)
      : options_(with_order(options)), own_(std::make_unique<ReadsFromDpor>()) {
    current_ = own_.get();
  }
  bool begin_execution() override {
    if (instead_ == nullptr && own_->beyond()) {
      instead_ = make_optimal_dpor(options_);
      current_ = instead_.get();
    }
    return current_->begin_execution();
  }
  std::string guarantee() const override {
    if (instead_ == nullptr) return own_->guarantee();
    return instead_->guarantee() + " (not by reads from: the program " + own_->what_beyond() + ")";
  }

 private:
  static RunOptions with_order(RunOptions options) {
    options.equivalence = Equivalence::Mazurkiewicz;
    return options;
  }

  const RunOptions options_;
  std::unique_ptr<ReadsFromDpor> own_;
  std::unique_ptr<Strategy> instead_;
};

}  // namespace

std::unique_ptr<Strategy> make_reads_from_or_else(const RunOptions& options) {
  return std::make_unique<ReadsFromOrElse>(options);
}

}  // namespace heddle
