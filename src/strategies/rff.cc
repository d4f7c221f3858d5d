// Sampling by what reads from what.
//
// Problem. Bugs that need one thread to look while many others are held back (the checker among a
// hundred setters) are out of reach of samplers that draw every step: each of the others must lose
// a draw.
//
// Idea (Wolff, Shi, Duck, Mathur, Roychoudhury, "Greybox fuzzing for concurrency testing", ASPLOS
// 2024, in our own form). What decides the outcome of an execution is which step each look at
// shared data reads from. Keep the pairs that were seen (reads_from.h). Aim each execution at a
// pair that was not: the reader is held back until a step of the writer's class was the last to
// change the resource; from then on all who would change it are held back until the reader has
// looked. For the resource as it was at the beginning, they are held back from the start.
//
// How an execution is driven otherwise.
//  * The first is round robin, one step each, the youngest thread first: much interleaving at no
//    cost. The second runs each thread as long as it can, the oldest first. They show most of what
//    the program does.
//  * An aimed execution repeats, as far as the holding back allows, an earlier execution in which
//    the reader was seen (its path may depend on what it read before); or it samples by partial
//    order as pos does.
//  * A reader whose source is right is let go at once, or, at first and in half of the later
//    attempts, only when nobody else can go on: what the writer does next may matter too.
//  * Pairs with the resource as it was at the beginning come first: they hold back the most.
//  * After the first few, one execution in three has no aim. When all pairs were seen, executions
//    aim at two known pairs at once.
// A pair is left for later while nothing suggests that it can be (ReadsFrom::plausible).
//
// Where all that could go on is held back, the aim is given up. So it is in executions twice as
// long as the longest that succeeded, since a loop may wait for a thread that is held back.
//
// Guarantee. None but the number of samples. The same seed gives the same executions. Memory grows
// with the number of shared resources and of places in the code that touch them, up to a limit, and
// with the 64 executions that are kept for repeating.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "base/random.h"
#include "strategies/reads_from.h"
#include "strategies/sampler.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

enum class Drive : uint8_t { RoundRobin, OldestFirst, Repeat, PartialOrder };

struct Aim {
  ReadsFromPair pair;
  uint32_t attempts = 0;
};

class Rff final : public Sampler {
 public:
  explicit Rff(uint64_t seed) : Sampler(StrategyId::rff), random_(seed) {}

  bool begin_execution() override;
  Transition choose(const Configuration& configuration) override;
  void end_execution(const ExecutionSummary& summary) override;
  std::string guarantee() const override { return no_guarantee("sampled by what reads from what"); }

 private:
  static constexpr size_t kMostKept = 64;
  static constexpr uint32_t kLongTurn = 1000;  // steps in a row before another thread gets one

  enum class Hold : uint8_t { Free, Later, Held };

  bool draw_from(std::vector<Aim>& aims);
  void aim();
  void aim_at_two();
  bool ready(const ReadsFromPair& pair) const;
  Hold hold(const ThreadView& view) const;
  const ThreadView* pick(const Configuration& configuration, Hold most);
  const ThreadView* drive(const Configuration& configuration);
  const ThreadView* round_robin(const Configuration& configuration);
  const ThreadView* oldest_first(const Configuration& configuration);
  const ThreadView* repeat(const Configuration& configuration);
  const ThreadView* by_partial_order(const Configuration& configuration);
  bool may_run(const ThreadView& view) const { return view.enabled() && hold(view) <= allowed_; }
  void note(const ThreadView& view, const Configuration& configuration);

  Random random_;
  ReadsFrom reads_from_;
  // Pairs not seen yet: those to be tried first, to be tried in this round, and in the next.
  std::vector<Aim> first_, open_, tried_;
  std::vector<ReadsFromPair> reached_;  // pairs that an aim has reached, or that came by themselves
  std::map<StepClass, uint32_t> shown_by_;   // reader -> which of kept_
  std::vector<std::vector<ThreadId>> kept_;  // executions, as the threads that took the steps

  // Of the execution under way.
  Drive drive_ = Drive::RoundRobin;
  bool linger_ = false;  // readers go last
  std::vector<ReadsFromPair> aims_;
  std::vector<ThreadId> steps_;
  std::vector<StepClass> readers_;  // met for the first time
  std::vector<bool> repeated_;      // steps of the kept execution that were taken
  size_t next_repeat_ = 0;
  std::vector<uint64_t> priorities_;  // as in pos.cc
  Hold allowed_ = Hold::Free;
  uint32_t turn_ = 0;
  bool aimed_ = false;
  Aim current_;

  uint64_t longest_ = 0;
};

bool Rff::begin_execution() {
  reads_from_.begin_execution();
  for (const ReadsFromPair& pair : reads_from_.new_candidates())
    (pair.writer == kNobody ? first_ : open_).push_back({pair, 0});
  aims_.clear();
  steps_.clear();
  readers_.clear();
  std::fill(priorities_.begin(), priorities_.end(), 0);
  turn_ = 0;
  aimed_ = linger_ = false;
  drive_ = drawn() == 0   ? Drive::RoundRobin
           : drawn() == 1 ? Drive::OldestFirst
                          : Drive::PartialOrder;
  if (drawn() >= 2 && (drawn() < 5 || drawn() % 3 != 1)) aim();
  return true;
}

bool Rff::draw_from(std::vector<Aim>& aims) {
  while (!aims.empty()) {
    const size_t at = random_.below(aims.size());
    current_ = aims[at];
    aims[at] = aims.back();
    aims.pop_back();
    if (reads_from_.seen(current_.pair))
      reached_.push_back(current_.pair);
    else if (!reads_from_.plausible(current_.pair))
      tried_.push_back(current_);
    else
      return true;
  }
  return false;
}

// One of the pairs tried least often that have not been seen.
void Rff::aim() {
  if (!draw_from(first_) && !draw_from(open_)) {
    std::swap(open_, tried_);
    if (!draw_from(open_)) return aim_at_two();
  }
  aimed_ = true;
  aims_.push_back(current_.pair);
  linger_ = current_.attempts == 0 || random_.below(2) == 0;
  const auto shown = shown_by_.find(current_.pair.reader);
  if (shown == shown_by_.end() || (current_.attempts > 0 && random_.below(2) == 0)) return;
  drive_ = Drive::Repeat;
  repeated_.assign(kept_[shown->second].size(), false);
  next_repeat_ = 0;
  steps_.reserve(repeated_.size());
}

void Rff::aim_at_two() {
  if (reached_.empty()) return;
  for (int i = 0; i < 2; ++i) aims_.push_back(reached_[random_.below(reached_.size())]);
  linger_ = random_.below(2) == 0;
}

bool Rff::ready(const ReadsFromPair& pair) const {
  return reads_from_.last_change(pair.resource).by == pair.writer;
}

Rff::Hold Rff::hold(const ThreadView& view) const {
  Hold result = Hold::Free;
  for (const ReadsFromPair& pair : aims_) {
    const Looked looked = looks_at(view.next);
    if (looked.any && looked.resource == pair.resource && class_of(view.next) == pair.reader) {
      const ReadsFrom::Change source = reads_from_.last_change(pair.resource);
      if (!ready(pair) || source.thread == view.id) return Hold::Held;
      if (linger_) result = Hold::Later;
    } else if (ready(pair) && changes(view.next, pair.resource)) {
      return Hold::Held;
    }
  }
  return result;
}

Transition Rff::choose(const Configuration& configuration) {
  if (longest_ != 0 && steps_.size() > 2 * longest_) aims_.clear();
  const ThreadView* picked = pick(configuration, Hold::Free);
  if (picked == nullptr) picked = pick(configuration, Hold::Later);
  if (picked == nullptr) {
    aims_.clear();
    picked = pick(configuration, Hold::Free);
  }
  note(*picked, configuration);
  const uint32_t choices = picked->choices;
  return {picked->id, choices == 1 ? 0 : static_cast<uint32_t>(random_.below(choices))};
}

const ThreadView* Rff::pick(const Configuration& configuration, Hold most) {
  allowed_ = most;
  return drive(configuration);
}

const ThreadView* Rff::drive(const Configuration& configuration) {
  switch (drive_) {
    case Drive::RoundRobin:
      return round_robin(configuration);
    case Drive::OldestFirst:
      return oldest_first(configuration);
    case Drive::Repeat:
      return repeat(configuration);
    case Drive::PartialOrder:
      break;
  }
  return by_partial_order(configuration);
}

// Main starts its threads first; then one step each, from the youngest to the oldest and around.
const ThreadView* Rff::round_robin(const Configuration& configuration) {
  for (const ThreadView& view : configuration.live)
    if (view.next.op == Op::ThreadCreate && may_run(view)) return &view;
  const ThreadView* below = nullptr;
  const ThreadView* youngest = nullptr;
  for (const ThreadView& view : configuration.live) {
    if (!may_run(view)) continue;
    youngest = &view;
    if (view.id < configuration.last) below = &view;
  }
  return below != nullptr && configuration.last != kMainThread ? below : youngest;
}

const ThreadView* Rff::oldest_first(const Configuration& configuration) {
  const ThreadView* last = configuration.find(configuration.last);
  const bool goes_on = last != nullptr && may_run(*last) && !configuration.last_gave_up;
  if (goes_on && turn_ < kLongTurn) return last;
  const ThreadView* oldest = nullptr;
  const ThreadView* above = nullptr;
  for (const ThreadView& view : configuration.live) {
    if (!may_run(view)) continue;
    if (oldest == nullptr) oldest = &view;
    if (above == nullptr && view.id > configuration.last) above = &view;
  }
  const bool pass_on = configuration.last_gave_up || turn_ >= kLongTurn;
  return pass_on && above != nullptr ? above : oldest;
}

// The first thread whose turn it was and that may go; beyond the kept steps, as pos does.
const ThreadView* Rff::repeat(const Configuration& configuration) {
  const std::vector<ThreadId>& kept = kept_[shown_by_[current_.pair.reader]];
  while (next_repeat_ < kept.size() && repeated_[next_repeat_]) ++next_repeat_;
  ThreadId skipped = kNoThread;  // the last one: runs of the same thread are common
  for (size_t i = next_repeat_; i < kept.size(); ++i) {
    if (repeated_[i] || kept[i] == skipped) continue;
    const ThreadView* view = configuration.find(kept[i]);
    if (view == nullptr || !may_run(*view)) {
      skipped = kept[i];
      continue;
    }
    repeated_[i] = true;
    return view;
  }
  return by_partial_order(configuration);
}

const ThreadView* Rff::by_partial_order(const Configuration& configuration) {
  const ThreadView* highest = nullptr;
  const auto priority = [&](const ThreadView& view) -> uint64_t& {
    if (index(view.id) >= priorities_.size()) priorities_.resize(index(view.id) + 1);
    uint64_t& own = priorities_[index(view.id)];
    if (own == 0) own = random_.next() | 1;
    return own;
  };
  for (const ThreadView& view : configuration.live)
    if (may_run(view) && (highest == nullptr || priority(view) > priority(*highest)))
      highest = &view;
  return highest;
}

// The view is about to take its step.
void Rff::note(const ThreadView& view, const Configuration& configuration) {
  for (const ThreadView& other : configuration.live)
    if (index(other.id) < priorities_.size() && dependent(other.next, view.next))
      priorities_[index(other.id)] = 0;
  turn_ = view.id == configuration.last ? turn_ + 1 : 0;
  const Looked looked = looks_at(view.next);
  if (looked.any) {
    const StepClass own = class_of(view.next);
    std::erase_if(aims_, [&](const ReadsFromPair& pair) {
      return pair.resource == looked.resource && pair.reader == own && ready(pair);
    });
    if (!shown_by_.contains(own)) readers_.push_back(own);
  }
  reads_from_.take(view.next);
  steps_.push_back(view.id);
}

void Rff::end_execution(const ExecutionSummary& summary) {
  Sampler::end_execution(summary);
  if (!summary.failed) longest_ = std::max(longest_, summary.steps);
  if (aimed_) {
    ++current_.attempts;
    if (reads_from_.seen(current_.pair))
      reached_.push_back(current_.pair);
    else
      tried_.push_back(current_);
  }
  if (readers_.empty() || kept_.size() == kMostKept) return;
  for (const StepClass reader : readers_)
    shown_by_.emplace(reader, static_cast<uint32_t>(kept_.size()));
  kept_.push_back(steps_);
}

}  // namespace

std::unique_ptr<Strategy> make_rff(const RunOptions& options) {
  return std::make_unique<Rff>(options.seed);
}

}  // namespace heddle
