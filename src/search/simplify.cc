// One search serves all findings: where they are many, they are met again and again on the way to
// each other. It goes by preemptions, so the first time that a bug shows is the simplest.
#include "search/simplify.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <vector>

#include "explore/minimise.h"
#include "strategies/follow.h"
#include "strategies/registry.h"
#include "trace/critical_steps.h"

namespace heddle {
namespace {

// Enough for small programs to find the fewest preemptions for certain.
constexpr uint64_t kSearchExecutions = 50'000;
constexpr uint64_t kSearchExecutionsInChildren = 1'000;
// For one finding; of many, each gets its share of ten times as much.
constexpr uint64_t kMinimiseExecutions = 1'000;
constexpr uint64_t kLeastToMinimise = 20;
constexpr uint64_t kConfirmExecutions = 60;
// Whatever the number of executions: long ones take their time.
constexpr uint64_t kSearchSteps = 20'000'000;
constexpr uint64_t kMinimiseSteps = 10'000'000;

constexpr double kLeastSeconds = 1, kMostSeconds = 10;
constexpr double kShareOfCauses = 0.2;

// What the user has left of the limit on executions, at most `wanted`.
uint64_t allowance(const Again& again, const Explorer& explorer, uint64_t wanted) {
  uint64_t limit = again.options.max_executions;
  return limit == 0 ? wanted : std::min(wanted, limit - explorer.executions());
}

// So many executions as long as this one take no more than `steps`.
uint64_t executions_within(uint64_t steps, const Finding& finding) {
  return steps / std::max<uint64_t>(1, finding.schedule.size());
}

// Reports nothing but signs of life.
class QuietObserver : public ExploreObserver {
 public:
  QuietObserver(Host& host, int64_t deadline_ns) : host_(host), deadline_ns_(deadline_ns) {}
  bool stop_requested() override {
    return host_.is_interrupted() || monotonic_ns() >= deadline_ns_;
  }
  void steps_taken(uint64_t count) override { host_.steps_taken(count); }

 private:
  Host& host_;
  const int64_t deadline_ns_;
};

// Whether there is no time left for the simplification itself.
bool out_of_time(const Again& again, const Simplification& state) {
  return QuietObserver(again.host, state.deadline_ns).stop_requested();
}

// Takes the time that passes while it lives off what is left.
class TimeTaken {
 public:
  explicit TimeTaken(int64_t& left_ns) : left_ns_(left_ns) {}
  ~TimeTaken() { left_ns_ -= monotonic_ns() - began_; }
  TimeTaken(const TimeTaken&) = delete;
  TimeTaken& operator=(const TimeTaken&) = delete;
  bool all() const { return monotonic_ns() - began_ >= left_ns_; }

 private:
  int64_t& left_ns_;
  const int64_t began_ = monotonic_ns();
};

ExploreLimits limits_for_reruns(const Again& again, const Explorer& explorer, uint64_t executions) {
  ExploreLimits limits{executions, again.options.max_steps, true};
  limits.unrolls_loops = explorer.unrolls_loops();
  limits.doubts_livelocks = false;
  return limits;
}

// To see a run past the limit of steps once more takes as long as it did.
bool is_endless(const Failure& failure) {
  return failure.kind == FindingKind::Livelock && failure.object == kNoAddress;
}

bool wants_search(const Finding& finding) {
  return finding.preemptions > 0 && !is_endless(finding.failure);
}

// Looks for bugs that are known already, until all have been seen.
class SearchObserver final : public QuietObserver {
 public:
  SearchObserver(Host& host, int64_t deadline_ns, const Explorer& known, const Explorer& search)
      : QuietObserver(host, deadline_ns), known_(known), search_(search) {
    for (const Finding& finding : known.findings()) left_ += wants_search(finding) ? 1 : 0;
  }

  bool stop_requested() override {
    for (; looked_at_ < search_.findings().size(); ++looked_at_)
      for (const Finding& finding : known_.findings())
        if (wants_search(finding) && finding.same_bug(search_.findings()[looked_at_].failure))
          --left_;
    return left_ <= 0 || QuietObserver::stop_requested();
  }

 private:
  const Explorer& known_;
  const Explorer& search_;
  size_t looked_at_ = 0;
  int64_t left_ = 0;
};

const Finding* find(const Explorer& search, const Finding& wanted) {
  for (const Finding& candidate : search.findings())
    if (candidate.same_bug(wanted.failure)) return &candidate;
  return nullptr;
}

// Iterative context bounding below the preemptions that the findings have now.
void search_for_fewer_preemptions(const Again& again, Explorer& explorer, Simplification& state) {
  uint32_t most = 0;
  uint64_t allowed =
      allowance(again, explorer,
                again.runner.in_children() ? kSearchExecutionsInChildren : kSearchExecutions);
  for (const Finding& finding : explorer.findings())
    if (wants_search(finding)) {
      most = std::max(most, finding.preemptions);
      allowed = std::min(allowed, executions_within(kSearchSteps, finding));
    }
  if (most == 0 || allowed == 0) return;
  RunOptions simpler = again.options;
  name_strategy(simpler, StrategyId::icb);
  simpler.bound = static_cast<int32_t>(most) - 1;
  simpler.filters[0] = '\0';
  simpler.order = PickOrder::Depth;
  simpler.equivalence = Equivalence::Mazurkiewicz;
  simpler.exact_states = false;
  state.search = std::make_unique<Explorer>(make_strategy(simpler),
                                            limits_for_reruns(again, explorer, allowed));
  SearchObserver observer(again.host, state.deadline_ns, explorer, *state.search);
  run_all(*state.search, observer, again.runner);
  const bool cut = out_of_time(again, state);
  for (size_t i = 0; i < explorer.findings().size(); ++i) {
    const Finding& finding = explorer.findings()[i];
    if (!wants_search(finding)) continue;
    const Finding* found = find(*state.search, finding);
    if (found != nullptr && found->preemptions < finding.preemptions)
      explorer.replace_schedule(i, *found);
    if (cut && found == nullptr) explorer.cut_short(i);
  }
  state.search.reset();
}

// What came of a run along `wanted` as far as the program goes.
struct Attempt {
  std::optional<Finding> shown;  // the bug, if it shows
  Schedule schedule;
};

Attempt attempt(const Again& again, const Schedule& wanted, const Finding& finding,
                Simplification& state, int64_t deadline_ns) {
  ExploreLimits limits{1, again.options.max_steps, true};
  limits.doubts_livelocks = false;
  state.search = std::make_unique<Explorer>(make_follow(wanted), limits);
  QuietObserver observer(again.host, deadline_ns);
  run_all(*state.search, observer, again.runner);
  Attempt result{std::nullopt, state.search->schedule()};
  if (const Finding* found = find(*state.search, finding)) result.shown = *found;
  state.search.reset();
  return result;
}

// Their executions have no end that could be told apart.
bool can_be_repeated(const Failure& failure) {
  return !is_endless(failure) && failure.kind != FindingKind::Death &&
         failure.kind != FindingKind::Nondeterminism;
}

void minimise_finding(const Again& again, Explorer& explorer, size_t number,
                      Simplification& state) {
  const Finding& finding = explorer.findings()[number];
  if (finding.suppressed || !can_be_repeated(finding.failure)) return;
  uint64_t share = 10 * kMinimiseExecutions / explorer.findings().size();
  uint64_t wanted = std::clamp(std::min(share, executions_within(kMinimiseSteps, finding)),
                               kLeastToMinimise, kMinimiseExecutions);
  Rerun rerun = [&](const Schedule& schedule) {
    return attempt(again, schedule, finding, state, state.deadline_ns).shown;
  };
  explorer.replace_schedule(number, minimise(finding, rerun, allowance(again, explorer, wanted)));
  if (out_of_time(again, state)) explorer.cut_short(number);
}

}  // namespace

int64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void Simplification::give_time(const RunOptions& options, int64_t began_ns) {
  const double search_seconds = 1e-9 * static_cast<double>(monotonic_ns() - began_ns);
  const double seconds = options.minimise >= 0
                             ? options.minimise
                             : std::clamp(search_seconds / 10, kLeastSeconds, kMostSeconds);
  const auto all_ns = static_cast<int64_t>(seconds * 1e9);
  causes_ns = static_cast<int64_t>(static_cast<double>(all_ns) * kShareOfCauses);
  deadline_ns = monotonic_ns() + all_ns - causes_ns;
}

void simplify_findings(const Again& again, Explorer& explorer, Simplification& state) {
  if (explorer.strategy().traits().found_first == FoundFirst::Simplest) return;
  // What the process has died of is tried once more in children, and never again.
  const uint32_t tries = again.runner.in_children() ? 2 : 1;
  // Strategies that go by preemptions have the fewest already.
  if (explorer.strategy().traits().found_first != FoundFirst::FewestPreemptions &&
      !state.searched && state.searches++ < tries) {
    again.host.reach_milestone();
    search_for_fewer_preemptions(again, explorer, state);
  }
  state.searched = true;
  for (; state.next < explorer.findings().size(); ++state.next, state.minimisations = 0) {
    again.host.reach_milestone();
    if (state.minimisations++ < tries) minimise_finding(again, explorer, state.next, state);
  }
}

CriticalSteps find_critical_steps(const Again& again, const Explorer& explorer,
                                  const Finding& finding, const Trace& trace,
                                  Simplification& state) {
  if (!can_be_repeated(finding.failure)) return {};
  uint64_t left = allowance(again, explorer, kConfirmExecutions);
  const TimeTaken taken(state.causes_ns);
  for (Suspect& suspect : suspects(trace))
    for (const Schedule& reordered : suspect.reordered) {
      if (left-- == 0 || taken.all()) return {};
      Attempt tried =
          attempt(again, reordered, finding, state, std::numeric_limits<int64_t>::max());
      if (tried.shown) continue;
      if (suspect.late == kNoThread || name_late_step(suspect, again.record(tried.schedule)))
        return suspect.critical;
    }
  return {};
}

}  // namespace heddle
