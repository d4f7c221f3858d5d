// What it means that an execution goes no further, where loops may be the reason.
//
// The explorer asks one question, judge(), when its strategy has no next step to take: a thread
// goes round in a loop of which nothing is known, no thread is enabled, or the execution has
// reached the limit of steps. The answer may need more steps of the program, and says how many of
// all count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "explore/executor.h"
#include "explore/strategy.h"

namespace heddle {

// How far an execution has come.
struct StepMark {
  size_t steps = 0;
  uint32_t preemptions = 0;
};

// Who keeps the books of the execution under judgement.
class StepTaker {
 public:
  virtual void take(Transition transition, const Configuration& configuration) = 0;
  // No thread is enabled, before any more is tried.
  virtual void stuck(const Configuration& configuration) = 0;
  // Whoever watches the search wants it to end now.
  virtual bool stop_requested() = 0;
  virtual StepMark taken() const = 0;

 protected:
  ~StepTaker() = default;
};

class LoopJudge {
 public:
  struct Limits {
    uint64_t max_steps = 0;
    bool doubts_livelocks = true;  // threads said to spin for ever are watched for a while
  };
  struct Verdict {
    Ending ending = Ending::Finished;
    std::optional<Failure> failure;
    std::optional<StepMark> counted;  // of the execution; none: all of it
    bool cut_off = false;             // at the limit: nobody knows how it would have ended
    Address where = kNoAddress;       // if so: what the thread was about to do
    bool resumes = false;             // nothing has changed for the search: it goes on from there
  };

  void set_limits(const Limits& limits) { limits_ = limits; }

  struct Question {
    bool samples = false;     // see Strategy
    bool has_failed = false;  // a thread of the execution has, or has broken an assumption
  };
  Verdict judge(Executor& executor, StepTaker& steps, Question question);

  // A thread said to spin for ever did not: what the spin monitor says is not to be relied on.
  bool spin_verdict_wrong() const { return spin_verdict_wrong_; }
  // More is known about loops than when the execution began.
  bool has_learnt() const { return has_learnt_; }
  void forget_learnt() { has_learnt_ = false; }

 private:
  struct Followed {
    LoopPlaces::Kind kind;
    uint32_t rounds;
  };
  Verdict classify_loop(Executor& executor, StepTaker& steps, Question question);
  Followed follow_loop(Executor& executor, StepTaker& steps, ThreadId thread) const;
  Verdict without_enabled(Executor& executor, StepTaker& steps);
  bool still_spins(Executor& executor, StepTaker& steps) const;
  Verdict for_ever(Executor& executor, StepTaker& steps);
  Verdict too_long(Executor& executor, StepTaker& steps);
  // What becomes of an execution in which the threads take turns.
  enum class Turns : uint8_t { End, Stop, Repeat, GoOn };  // Stop: no thread is enabled
  Turns take_turns(Executor& executor, StepTaker& steps, size_t most) const;
  bool ends_out_of_step(Executor& executor, StepTaker& steps) const;
  Verdict ended(const Executor& executor) const;
  size_t patience() const;

  Limits limits_;
  bool spin_verdict_wrong_ = false;
  bool has_learnt_ = false;
};

}  // namespace heddle
