// No engine is best everywhere: bounded model checking finds bugs that are not deep and proves
// programs that end; property directed reachability and interpolation find invariants; decision
// diagrams do well where there are few states or many regular ones. So each entry runs in a
// process of its own, and the first that is certain (Reached or Proved) ends the others.
//
// Entries join one after the other, as their delays say: most questions are answered
// before the second one starts, and then cost no more than the first engine. The kernel spreads
// the processes over the cores. If nobody is certain, the deepest bound is the answer.
#include "symbolic/portfolio.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>

#include "symbolic/budget.h"
#include "symbolic/process.h"

namespace heddle::symbolic {
namespace {

bool is_certain(const Answer& answer) {
  return answer.verdict == Verdict::Reached || answer.verdict == Verdict::Proved;
}

class Portfolio {
 public:
  Portfolio(std::span<const Entry> entries, const Limits& limits)
      : entries_(entries),
        limits_(limits),
        budget_(limits),
        workers_(entries.size()),
        started_(entries.size()) {}

  PortfolioAnswer run() {
    while (left_ > 0) {
      if (budget_.spent_now()) return gave_up(budget_.reason());
      start_what_is_due();
      std::vector<int> descriptors;
      for (const auto& worker : workers_)
        if (worker) descriptors.push_back(worker->output());
      wait_for_output(descriptors);
      for (size_t i = 0; i < workers_.size(); ++i) {
        if (!workers_[i] || workers_[i]->receive()) continue;
        if (PortfolioAnswer answer = finish(i); is_certain(answer.answer)) return answer;
      }
    }
    return gave_up(reasons_);
  }

 private:
  // Those whose time has come; the next one at once where nobody else is at work.
  void start_what_is_due() {
    bool idle = true;
    for (const auto& worker : workers_) idle = idle && !worker;
    for (size_t i = 0; i < entries_.size(); ++i) {
      const Entry& entry = entries_[i];
      if (started_[i] || (!idle && since_begin() < entry.delay)) continue;
      Limits own = limits_;
      if (limits_.seconds > 0) own.seconds = budget_.seconds_left();
      own.on_bound = nullptr;
      workers_[i] = std::make_unique<Worker>(
          [&](const Limits& limits) {
            if (entry.other) return entry.other(limits);
            return engine(entry.engine).check(*entry.system, entry.property, limits);
          },
          own);
      started_[i] = true;
      idle = false;
    }
  }

  double since_begin() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  PortfolioAnswer finish(size_t i) {
    Answer answer = workers_[i]->answer();
    if (!entries_[i].other) answer.engine = engine(entries_[i].engine).name;
    note_bound(i);
    if (answer.verdict == Verdict::Bounded) note(i, answer.depth);
    workers_[i].reset();
    --left_;
    if (!reasons_.empty()) reasons_ += ", ";
    reasons_ += fmt::format("{}: {}", answer.engine, answer.reason);
    return {std::move(answer), i};
  }

  void note_bound(size_t i) {
    if (workers_[i] && workers_[i]->bound()) note(i, *workers_[i]->bound());
  }
  void note(size_t i, uint32_t depth) {
    if (entries_[i].reduced) return;
    if (!is_bounded_ || depth > bound_) bound_ = depth;
    is_bounded_ = true;
  }

  PortfolioAnswer gave_up(const std::string& reason) {
    for (size_t i = 0; i < workers_.size(); ++i) note_bound(i);
    if (is_bounded_ && bound_ == limits_.depth)
      return {bounded(bound_, "the depth limit was reached"), 0};
    return {is_bounded_ ? bounded(bound_, reason) : unknown(reason), 0};
  }

  const std::span<const Entry> entries_;
  const Limits& limits_;
  Budget budget_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<bool> started_;
  size_t left_ = entries_.size();
  std::string reasons_;
  bool is_bounded_ = false;
  uint32_t bound_ = 0;
};

}  // namespace

PortfolioAnswer check_portfolio(std::span<const Entry> entries, const Limits& limits) {
  return Portfolio(entries, limits).run();
}

std::vector<Entry> all_engines(const circuit::System& system, uint32_t property) {
  std::vector<Entry> entries;
  for (const Engine& row : engines())
    if (row.delay >= 0) entries.push_back({row.kind, &system, property, false, row.delay, {}});
  return entries;
}

}  // namespace heddle::symbolic
