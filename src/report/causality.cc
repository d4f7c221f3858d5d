// Two steps are ordered if they access the same resource and one of them changes it (the table in
// model/dependence.h), or if one woke the thread of the other. Vector clocks tell which of those
// orders follow from others. For each thing only the last change and the looks since then are kept:
// earlier ones come before that change.
#include "report/causality.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "model/dependence.h"

namespace heddle {
namespace {

using Clock = std::vector<uint32_t>;  // per thread: how many of its steps are known

struct Visited {
  Access access;
  uint32_t step = 0;
};

class Causality {
 public:
  explicit Causality(const std::vector<TraceStep>& steps) : steps_(steps) {
    for (const TraceStep& step : steps) threads_.emplace(step.action.thread, 0);
    uint32_t number = 0;
    for (auto& [thread, slot] : threads_) slot = number++;
    clocks_.assign(number, Clock(number, 0));
    clock_of_.resize(steps.size());
  }

  std::vector<std::vector<uint32_t>> edges() {
    std::vector<std::vector<uint32_t>> all(steps_.size());
    for (uint32_t i = 0; i < steps_.size(); ++i) all[i] = take(i);
    return all;
  }

 private:
  // Pages of memory as a hash table; a range that covers several is in each.
  static constexpr int kPageBits = 6;
  static constexpr uint64_t kMostPages = 64;  // of one access: a copied block may be large

  std::vector<uint32_t> take(uint32_t i) {
    const Action& action = steps_[i].action;
    std::vector<uint32_t> candidates;
    for (const Access& access : accesses_of(action)) visit(access, i, candidates);
    if (action.op == Op::ProcessExit || is_last_resort(action.op)) after_everything(i, candidates);
    if (last_exit_ != kNone) candidates.push_back(last_exit_);
    if (action.op == Op::ProcessExit) last_exit_ = i;
    follow_wakeups(i, candidates);

    uint32_t self = threads_[action.thread];
    Clock& clock = clocks_[self];
    std::sort(candidates.rbegin(), candidates.rend());
    std::vector<uint32_t> edges;
    for (uint32_t before : candidates) {
      uint32_t other = threads_[steps_[before].action.thread];
      const Clock& known = clock_of_[before];
      if (other == self || clock[other] >= known[other]) continue;
      for (size_t t = 0; t < clock.size(); ++t) clock[t] = std::max(clock[t], known[t]);
      edges.push_back(before);
    }
    ++clock[self];
    clock_of_[i] = clock;
    latest_[self] = i;
    std::reverse(edges.begin(), edges.end());
    return edges;
  }

  void visit(const Access& access, uint32_t i, std::vector<uint32_t>& candidates) {
    if (access.kind == ResourceKind::Everything) return;
    bool memory = access.kind == ResourceKind::Memory;
    uint64_t first = memory ? access.begin >> kPageBits : access.begin;
    uint64_t last = memory ? (access.end - 1) >> kPageBits : access.begin;
    last = std::min(last, first + kMostPages);
    for (uint64_t page = first; page <= last; ++page) {
      std::vector<Visited>& touched = resources_[{access.kind, page}];
      for (const Visited& other : touched)
        if (conflict(access, other.access)) candidates.push_back(other.step);
      uint32_t thread = threads_[steps_[i].action.thread];
      std::erase_if(touched, [&](const Visited& other) {
        bool covered = access.begin <= other.access.begin && other.access.end <= access.end;
        bool own = threads_[steps_[other.step].action.thread] == thread;
        return covered && (access.mode == AccessMode::Changes ||
                           (own && other.access.mode == AccessMode::Observes));
      });
      touched.push_back({access, i});
    }
  }

  void after_everything(uint32_t i, std::vector<uint32_t>& candidates) {
    for (const auto& [thread, step] : latest_)
      if (step != i) candidates.push_back(step);
  }

  // A signal says which of the waiters, in order of their numbers, it wakes.
  void follow_wakeups(uint32_t i, std::vector<uint32_t>& candidates) {
    const TraceStep& step = steps_[i];
    const Action& action = step.action;
    if ((action.op == Op::CondWait || action.op == Op::CondTimedWait) && step.choice == 0)
      waiting_[action.object].insert(action.thread);
    if (action.op == Op::CondSignal) {
      std::set<ThreadId>& waiters = waiting_[action.object];
      if (step.choice < waiters.size()) {
        auto chosen = std::next(waiters.begin(), step.choice);
        woken_by_[*chosen] = i;
        waiters.erase(chosen);
      }
    }
    if (action.op == Op::CondBroadcast) {
      for (ThreadId waiter : waiting_[action.object]) woken_by_[waiter] = i;
      waiting_[action.object].clear();
    }
    if (action.op != Op::CondRelock) return;
    if (auto woken = woken_by_.find(action.thread); woken != woken_by_.end()) {
      candidates.push_back(woken->second);
      woken_by_.erase(woken);
    }
    for (auto& [condition, waiters] : waiting_) waiters.erase(action.thread);  // woke by itself
  }

  static constexpr uint32_t kNone = ~0u;
  const std::vector<TraceStep>& steps_;
  std::map<ThreadId, uint32_t> threads_;  // to slots of the clocks
  std::vector<Clock> clocks_;
  std::vector<Clock> clock_of_;  // per step
  std::map<uint32_t, uint32_t> latest_;
  std::map<std::pair<ResourceKind, uint64_t>, std::vector<Visited>> resources_;
  std::map<Address, std::set<ThreadId>> waiting_;
  std::map<ThreadId, uint32_t> woken_by_;
  uint32_t last_exit_ = kNone;
};

}  // namespace

std::vector<std::vector<uint32_t>> happens_before_edges(const std::vector<TraceStep>& steps) {
  return Causality(steps).edges();
}

}  // namespace heddle
