// One execution as a partial order of steps, and its prefixes.
//
// A prefix of a happens-before state is a cut: so many steps of each thread, closed under what
// happens before. The search passes through one chain of cuts only; the context bound of a state
// and the marking of states (context_bound.h, strategies/cb_por_2.cc) need the others too, without
// driving the program there. So this class answers, for any cut, which threads could go on.
//
// A thread's next action is known from its own next step, or from the configuration at the end.
// Whether it is enabled depends on the things it touches alone, and their past in the cut is the
// beginning of their past in the execution. So a mutex or semaphore is in the state in which the
// first step outside of the cut found it (Action::before). Where that is not known, and for other
// things, the past is run through in a small model of mutexes, conditions and threads. For
// operations that the model does not know the answer is Unknown.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "explore/configuration.h"
#include "model/dependence.h"
#include "states/state_tracker.h"

namespace heddle {

enum class Answer : uint8_t { No, Yes, Unknown };

// By thread: how many of its steps belong to the cut.
using Cut = std::vector<uint32_t>;

// Whether a step may keep other threads from going on.
enum class Hinders : uint8_t {
  Nobody,
  Lockers,  // those that want the same lock
  Perhaps,
};

struct OrderedStep {
  Action action;
  uint32_t choice = 0;
  uint32_t choices = 1;                         // how many there were
  uint32_t position = 0;                        // steps of the same thread before it
  uint64_t mix = 0;                             // of its extended action
  bool woke_itself = false;                     // it began a wait that is over already
  std::array<Address, Accesses::kMost> sync{};  // objects of synchronisation that it touches
  Hinders hinders = Hinders::Perhaps;
  bool ready = false;      // its thread was enabled right after its step before, in any execution
  uint32_t preempted = 0;  // so often was its thread preempted before it, in any execution

  bool touches_sync(Address object) const {
    return std::find(sync.begin(), sync.end(), object) != sync.end();
  }
};

class PartialOrder {
 public:
  void clear();
  void truncate(size_t steps);

  // The threads at the end of the execution. The first configuration names those alive from the
  // start.
  void note(const Configuration& configuration);
  void push(const Action& action, Transition transition, uint32_t choices);
  // The last step was taken and is known to have ended its thread, or the execution.
  void end_last_thread();

  size_t size() const { return steps_.size(); }
  uint64_t hash() const { return tracker_.hash(); }
  const StateTracker& tracker() const { return tracker_; }
  const OrderedStep& step(size_t i) const { return steps_[i]; }
  uint32_t threads() const { return static_cast<uint32_t>(of_thread_.size()); }

  Cut whole() const;
  // Threads whose last step in the cut happens before no other step in it.
  bool is_maximal(const Cut& cut, ThreadId thread) const {
    const uint32_t t = index(thread);
    if (cut[t] == 0) return false;
    for (uint32_t u = 0; u < cut.size(); ++u) {
      if (u == t || cut[u] == 0) continue;
      const std::span<const uint32_t> past = clock(of_thread_[u][cut[u] - 1]);
      if (t < past.size() && past[t] >= cut[t]) return false;
    }
    return true;
  }
  const OrderedStep& last_step(const Cut& cut, ThreadId thread) const {
    return steps_[of_thread_[index(thread)][cut[index(thread)] - 1]];
  }

  Answer enabled_in(const Cut& cut, ThreadId thread) const;
  // Whether an execution of the cut that ends with the thread's last step leaves it enabled,
  // whatever the order of the other steps. False if that is not known without a closer look.
  bool stays_ready(const Cut& cut, ThreadId thread) const;
  // Whether the thread's last step in the cut keeps no other thread from going on.
  bool hinders_nobody(const Cut& cut, ThreadId thread) const;
  // A lower bound on the preemptions of all executions of the cut that go on with the thread.
  uint32_t least_preemptions(const Cut& cut, ThreadId next) const;
  // In how many ways an enabled thread can take its next step; 0 if that is not known.
  uint32_t choices_in(const Cut& cut, ThreadId thread) const;
  // The state that a thread enabled in the cut leads to. `before` is the cut's own hash.
  uint64_t hash_after(const Cut& cut, uint64_t before, ThreadId thread, uint32_t choice) const;

 private:
  const OrderedStep* next_step(const Cut& cut, ThreadId thread) const {
    const std::vector<uint32_t>& own = of_thread_[index(thread)];
    return cut[index(thread)] < own.size() ? &steps_[own[cut[index(thread)]]] : nullptr;
  }
  const Action* next_action(const Cut& cut, ThreadId thread) const;
  bool contains(const Cut& cut, const OrderedStep& step) const {
    return step.position < cut[index(step.action.thread)];
  }
  bool contains_past(const Cut& cut, size_t step) const;
  bool alive(const Cut& cut, ThreadId thread) const;
  bool ended(const Cut& cut, ThreadId thread) const;
  Answer not_initialising(const Cut& cut, Address control) const;
  uint32_t state_in(const Cut& cut, Address object, ThreadId for_thread) const;
  Answer rwlock_free(const Cut& cut, const Action& wanted) const;
  Answer mutex_free(const Cut& cut, Address mutex, ThreadId for_thread) const;
  Answer mutex_free_by_steps(const Cut& cut, Address mutex, ThreadId for_thread) const;
  // The step that woke the last wait of a thread on a condition; size() if none in the cut did.
  size_t woken_by(const Cut& cut, ThreadId thread, Address condition) const;
  // Whether the thread's last step in the cut is a wait that ended by its timeout.
  bool timed_out(const Cut& cut, ThreadId thread) const;
  uint32_t waiters(const Cut& cut, Address condition) const;
  template <typename Visit>
  void replay_condition(const Cut& cut, Address condition, Visit visit) const;
  void order(size_t step);
  void judge(size_t step);
  bool is_ready_after(const OrderedStep& step, const Action& next) const;
  bool is_pending_ready(ThreadId thread) const;
  void join_clock(std::vector<uint32_t>& clock, size_t step) const;
  std::span<const uint32_t> clock(size_t step) const { return clocks_[step]; }

  std::vector<OrderedStep> steps_;
  std::vector<std::vector<uint32_t>> clocks_;  // by step: how many steps of each thread are in its
                                               // past, itself included; may be shorter than threads
  std::vector<std::vector<uint32_t>> of_thread_;  // by thread: its steps
  std::vector<ThreadView> pending_;               // by thread: what it does at the end
  std::vector<bool> initially_alive_;             // by thread
  // By thread: whether it is surely enabled at the end; asked when somebody wants to know.
  mutable std::vector<std::optional<bool>> pending_ready_;
  StateTracker tracker_;
  mutable StateTracker scratch_;
  mutable Cut scratch_cut_;
};

}  // namespace heddle
