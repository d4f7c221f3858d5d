// Selectively uniform random walk.
//
// Problem. Choosing among the enabled threads with equal probability is not choosing among the
// interleavings with equal probability: of two threads with 1 and 25 steps, the short one comes
// last in one walk of 2^25, though that is one interleaving of 26.
//
// Idea (Zhao, Wolff, Mathur, Roychoudhury, "Selectively uniform concurrency testing", ASPLOS 2025).
// If it is known how many steps each thread has left, draw the next thread with probabilities in
// that proportion: the walk is then uniform over all interleavings. Threads that do not exist yet
// count for the one that will create them. Because most steps concern nobody, select: pick, for
// each execution, one object at random, be uniform over the interleavings of the steps on that
// object alone, and let the others go freely. To do so, draw the thread that is to take the next
// selected step, and hold back the selected steps of all others until it has.
//
// Where we deviate.
//  * The numbers are learned from the executions already run: per object and thread, what was seen
//    in the last one that got there. The first execution knows nothing and is a random walk. A
//    thread that never came to its end, because another one ended the program, is taken to have at
//    least as much before it as behind it: else main would always be the next to move, and end it.
//  * Objects are drawn among those that two threads touch; every fourth execution selects all
//    steps, since a bug may need the order of steps on several objects.
//  * A drawn thread may be blocked by one that is held back. If nothing else is enabled, the draw
//    is repeated among those that are.
//
// Guarantee. If each thread takes the same number of selected steps whatever the schedule, and none
// of them blocks, every interleaving of these is equally likely. The same seed gives the same
// executions. Memory grows with the number of shared objects.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "model/dependence.h"
#include "strategies/sampler.h"
#include "strategies/strategy_table.h"

namespace heddle {
namespace {

using Resource = std::pair<ResourceKind, uint64_t>;
using Counts = std::vector<uint32_t>;  // by thread: selected steps

void count_one(Counts& counts, ThreadId thread) {
  if (index(thread) >= counts.size()) counts.resize(index(thread) + 1);
  ++counts[index(thread)];
}

class Surw final : public Sampler {
 public:
  explicit Surw(uint64_t seed) : Sampler(StrategyId::surw), random_(seed) {}

  bool begin_execution() override;
  Transition choose(const Configuration& configuration) override;
  void end_execution(const ExecutionSummary& summary) override;
  std::string guarantee() const override {
    return no_guarantee("drawn uniformly among the orders of selected steps");
  }

 private:
  static constexpr Resource kAllSteps{ResourceKind::Everything, 0};

  bool selected(const Action& action) const;
  void learn_birth(const Configuration& configuration);
  uint64_t weight(const Configuration& configuration, ThreadId thread) const;
  void draw_intended(const Configuration& configuration, bool enabled_only);
  const ThreadView* pick(const Configuration& configuration);
  void note(const Action& action);
  void learn(const Resource& resource, const Counts& counts, bool failed);

  Random random_;
  std::map<Resource, Counts> known_;    // from earlier executions
  std::map<Resource, Counts> counted_;  // in the execution under way
  std::vector<ThreadId> parent_;  // by thread; kept, since births do not depend on the schedule
  std::vector<bool> ends_;        // by thread: it has come to its end in some execution
  std::vector<bool> ended_;       // in the execution under way
  Resource selection_ = kAllSteps;
  Counts left_;                    // by thread: selected steps expected yet
  ThreadId intended_ = kNoThread;  // takes the next selected step
};

bool Surw::begin_execution() {
  std::vector<const std::pair<const Resource, Counts>*> shared;
  for (const auto& entry : known_) {
    const Counts& counts = entry.second;
    if (std::count_if(counts.begin(), counts.end(), [](uint32_t n) { return n > 0; }) > 1 &&
        entry.first != kAllSteps)
      shared.push_back(&entry);
  }
  const bool all = shared.empty() || random_.below(4) == 0;
  selection_ = all ? kAllSteps : shared[random_.below(shared.size())]->first;
  left_ = known_[selection_];
  counted_.clear();
  ended_.clear();
  intended_ = kNoThread;
  return true;
}

bool Surw::selected(const Action& action) const {
  if (selection_ == kAllSteps) return true;
  for (const Access& access : accesses_of(action))
    if (Resource{access.kind, access.begin} == selection_) return true;
  return false;
}

void Surw::learn_birth(const Configuration& configuration) {
  if (configuration.created == kNoThread) return;
  const size_t child = index(configuration.created);
  if (child >= parent_.size()) parent_.resize(child + 1, kNoThread);
  parent_[child] = configuration.last;
}

// What the thread and those it has yet to create have left. Threads that have ended have nothing
// left, or were counted wrongly.
uint64_t Surw::weight(const Configuration& configuration, ThreadId thread) const {
  uint64_t sum = 0;
  for (uint32_t t = 0; t < left_.size(); ++t) {
    ThreadId heir{t};
    while (heir != kNoThread && configuration.find(heir) == nullptr)
      heir = index(heir) < parent_.size() ? parent_[index(heir)] : kNoThread;
    if (heir == thread) sum += left_[t];
  }
  return sum;
}

void Surw::draw_intended(const Configuration& configuration, bool enabled_only) {
  uint64_t total = 0;
  intended_ = kNoThread;
  for (const ThreadView& view : configuration.live) {
    if (enabled_only && !view.enabled()) continue;
    const uint64_t own = weight(configuration, view.id) + enabled_only;
    total += own;
    if (own > 0 && random_.below(total) < own) intended_ = view.id;  // reservoir of size one
  }
}

const ThreadView* Surw::pick(const Configuration& configuration) {
  const ThreadView* picked = nullptr;
  uint64_t candidates = 0;
  for (const ThreadView& view : configuration.live) {
    if (!view.enabled()) continue;
    if (intended_ != kNoThread && view.id != intended_ && selected(view.next)) continue;
    if (random_.below(++candidates) == 0) picked = &view;
  }
  return picked;
}

Transition Surw::choose(const Configuration& configuration) {
  learn_birth(configuration);
  Counts& all = counted_[kAllSteps];
  for (const ThreadView& view : configuration.live)  // it has something to do, if nothing done yet
    if (index(view.id) >= all.size()) all.resize(index(view.id) + 1);
  if (intended_ == kNoThread || configuration.find(intended_) == nullptr)
    draw_intended(configuration, false);
  const ThreadView* picked = pick(configuration);
  if (picked == nullptr) {  // everything enabled is held back
    draw_intended(configuration, true);
    picked = pick(configuration);
  }
  if (selected(picked->next)) {
    if (index(picked->id) < left_.size() && left_[index(picked->id)] > 0)
      --left_[index(picked->id)];
    intended_ = kNoThread;
  }
  note(picked->next);
  const uint32_t choices = picked->choices;
  return {picked->id, choices == 1 ? 0 : static_cast<uint32_t>(random_.below(choices))};
}

void Surw::note(const Action& action) {
  if (action.op == Op::ThreadExit) {
    if (index(action.thread) >= ended_.size()) ended_.resize(index(action.thread) + 1);
    ended_[index(action.thread)] = true;
  }
  count_one(counted_[kAllSteps], action.thread);
  for (const Access& access : accesses_of(action))
    count_one(counted_[{access.kind, access.begin}], action.thread);
}

// A failed execution was cut short, so it teaches only what no other has taught.
void Surw::end_execution(const ExecutionSummary& summary) {
  Sampler::end_execution(summary);
  if (ends_.size() < ended_.size()) ends_.resize(ended_.size());
  for (size_t t = 0; t < ended_.size(); ++t) ends_[t] = ends_[t] || ended_[t];
  for (const auto& [resource, counts] : counted_) learn(resource, counts, summary.failed);
}

void Surw::learn(const Resource& resource, const Counts& counts, bool failed) {
  Counts& known = known_[resource];
  if (!known.empty() && failed) return;
  if (known.size() < counts.size()) known.resize(counts.size());
  for (uint32_t t = 0; t < counts.size(); ++t) {
    const bool whole = t == index(kMainThread) || (t < ended_.size() && ended_[t]);
    const bool ends = t < ends_.size() && ends_[t];
    if (whole)
      known[t] = counts[t];
    else if (!ends)
      known[t] = std::max(known[t], resource == kAllSteps ? 2 * counts[t] + 1 : counts[t]);
  }
}

}  // namespace

std::unique_ptr<Strategy> make_surw(const RunOptions& options) {
  return std::make_unique<Surw>(options.seed);
}

}  // namespace heddle
