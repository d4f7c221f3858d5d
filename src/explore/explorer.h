// The exploration loop (SCALE, algorithm 7) and what it reports.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "explore/executor.h"
#include "explore/loop_judge.h"
#include "explore/strategy.h"

namespace heddle {

struct ExploreLimits {
  uint64_t max_executions = 0;  // 0: no limit
  uint64_t max_steps = 100'000;
  bool keep_going = false;
  bool races_end_search = true;  // otherwise only other findings do
  bool unrolls_loops = false;    // threads that spin are let spin
  bool doubts_livelocks = true;  // threads said to spin for ever are watched for a while
  FindingKinds ignored = 0;      // findings of these kinds are none
};

// Counters and requests shared with whoever watches the search. All calls are made between steps.
class ExploreObserver {
 public:
  virtual ~ExploreObserver() = default;
  virtual bool stop_requested() { return false; }  // asked before every execution
  // The same, but for the first: whether what is left is wanted as work items (divisible.h).
  virtual bool division_requested() { return false; }
  virtual void steps_taken(uint64_t /*count*/) {}
  virtual void execution_ended(const ExecutionSummary&) {}
};

// One bug, once: executions that fail in the same way at the same place share a Finding.
struct Finding {
  uint32_t number = 0;  // from 1, never given twice in a search
  Failure failure;
  Schedule schedule;  // of the execution with the fewest preemptions seen
  uint32_t preemptions = 0;
  uint64_t execution = 0;  // number of that execution, from 1
  uint64_t occurrences = 1;
  bool suppressed = false;  // the user does not want to hear of it
  bool cut_short = false;   // no time was left to look for a simpler schedule

  bool same_bug(const Failure& other) const { return heddle::same_bug(failure, other); }
};

enum class EndReason : uint8_t {
  Exhausted,
  FirstFinding,
  ExecutionLimit,
  StepLimit,
  Stopped,
  Mistake,  // of the user: Strategy::mistake()
  Divided,  // as was asked for: it is up to others to go on
};

class Explorer {
 public:
  Explorer(std::unique_ptr<Strategy> strategy, const ExploreLimits& limits);

  // Explores until the strategy has nothing left or a limit is reached.
  EndReason run(Executor& executor, ExploreObserver& observer);

  // The same in pieces, for executions that happen in processes of their own (runner.h). State
  // between the calls is only in this object.
  bool begin_execution(ExploreObserver& observer);
  void explore_one(Executor& executor, ExploreObserver& observer);
  // Brings the program to where the execution that has begun has taken so many steps of its prefix;
  // false if it does not get there. For executors that can go on from there when asked to begin.
  bool approach(Executor& executor, size_t steps);
  void finish_execution(ExploreObserver& observer);
  // Instead of explore_one's own ending, when the process died under it.
  void execution_died(const Failure& failure);
  // Repeats the execution under way; `before_last` is called before its last step. False if it
  // cannot be repeated.
  bool repeat(Executor& executor, const std::function<void()>& before_last);

  EndReason end_reason() const { return end_reason_; }
  const Strategy& strategy() const { return *strategy_; }
  Strategy& strategy() { return *strategy_; }
  bool unrolls_loops() const { return limits_.unrolls_loops; }
  const std::vector<Finding>& findings() const { return findings_; }
  void suppress(size_t number) { findings_[number].suppressed = true; }
  void cut_short(size_t number) { findings_[number].cut_short = true; }
  // Begins anew with another strategy, because the program has other steps now. What was found so
  // far is dropped: it will be found again, with schedules that fit.
  void restart(std::unique_ptr<Strategy> strategy);
  // The program takes other steps now; findings stay valid.
  void start_over() {
    strategy_->start_over();
    ++generation_;
  }
  // Changes when the program takes other steps than before.
  uint64_t generation() const { return generation_; }
  // How threads that wait in loops are treated in the execution that has begun.
  Spinning spinning() const {
    return limits_.unrolls_loops || judge_.spin_verdict_wrong() ? Spinning::Unroll
                                                                : strategy_->spinning();
  }
  // Another execution was found to show finding `number` more simply.
  void replace_schedule(size_t number, const Finding& simpler);
  uint64_t executions() const { return executions_; }
  // How many there will be in all, as far as can be guessed.
  Estimate estimate() const;
  uint64_t finished() const { return finished_; }    // of the executions begun
  uint64_t blocked() const { return blocked_; }      // of these, abandoned by the strategy
  uint64_t dismissed() const { return dismissed_; }  // of these, broke an assumption
  uint64_t kept() const { return kept_; }            // seen to their end, and broke none
  // Whether all of them did, so that the search says nothing about the program.
  bool vacuous() const { return dismissed_ > 0 && kept_ == 0; }
  uint64_t cut_off() const;  // at the limit of steps, undecided, where that matters
  // Where a thread was when that happened first; kNoAddress if it is not known.
  Address cut_off_at() const { return cut_off_at_; }
  uint64_t events() const { return events_; }
  const Schedule& schedule() const { return schedule_; }  // of the execution under way
  bool complete() const;

 private:
  bool end(EndReason reason);
  void count_execution();
  void begin(Executor& executor);
  bool ends_search(const Finding& finding) const;
  bool follow_prefix(Executor& executor, ExploreObserver& observer);
  class Steps;
  class MoreSteps;
  bool may_go_on(const Executor& executor, const Configuration& configuration) const;
  void note_step(Transition transition, const Configuration& configuration);
  void abandon();
  bool judged_to_resume(Executor& executor, ExploreObserver& observer);
  bool is_to_stop(ExploreObserver& observer) const;
  void explore_steps(Executor& executor, ExploreObserver& observer);
  bool continue_without_failed_thread(Executor& executor);
  void record(const Failure& failure, Ending ending);
  void record_later(const Failure& failure);
  void add_finding(const Failure& failure, std::span<const Transition> schedule);

  std::unique_ptr<Strategy> strategy_;
  ExploreLimits limits_;
  EndReason end_reason_ = EndReason::Exhausted;
  std::vector<Finding> findings_;
  uint32_t numbered_ = 0;  // findings made so far, those of an earlier start included
  Schedule schedule_;
  ExecutionSummary summary_;
  LoopJudge judge_;
  bool repeats_ = false;  // the execution is to be begun again, and to go on from where it was
  uint64_t generation_ = 0;
  uint64_t executions_ = 0;
  uint64_t finished_ = 0;
  uint64_t blocked_ = 0;
  uint64_t dismissed_ = 0;
  uint64_t kept_ = 0;  // executions that were seen to their end and broke no assumption
  uint64_t cut_off_ = 0;
  Address cut_off_at_ = kNoAddress;
  uint64_t samples_cut_off_ = 0;  // of these
  uint64_t events_ = 0;
};

}  // namespace heddle
