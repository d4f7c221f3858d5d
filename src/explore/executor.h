// The narrow waist of the house: a program in some state, which can be reset and stepped.
//
// Everything about *which* schedule to try next speaks only to this interface. The native executor
// (runtime/) runs the user's compiled program; the toy one (toy/) interprets small scripts for
// tests.
#pragma once

#include <optional>
#include <span>

#include "explore/configuration.h"
#include "explore/spin_monitor.h"
#include "model/finding.h"
#include "model/schedule.h"

namespace heddle {

enum class Status : uint8_t {
  Running,    // at a configuration; threads may be blocked, all of them included
  Finished,   // the program has ended by itself
  Failed,     // the last step ended in a bug of the program: see failure()
  Dismissed,  // the last step broke an assumption: the execution is of no interest
};

// Decides step by step where an execution goes.
class Guide {
 public:
  // The step to take from here; kNoTransition: none for now.
  virtual Transition next(const Configuration& configuration) = 0;

 protected:
  ~Guide() = default;
};

class Executor {
 public:
  virtual ~Executor() = default;

  // Puts the program into its initial state: every live thread stands before its first visible
  // action. Ends whatever execution was under way.
  virtual Status reset() = 0;

  // Valid while status() is Running; changed in place by step().
  virtual const Configuration& configuration() const = 0;
  virtual Status status() const = 0;
  virtual const Failure& failure() const = 0;

  // Bugs that did not end the execution (data races), in the order in which they showed.
  struct Noted {
    Failure failure;
    size_t steps = 0;  // of the execution, when it showed
  };
  virtual size_t noted_count() const { return 0; }
  virtual Noted noted(size_t) const { return {}; }

  // Takes one step. The transition must be enabled in configuration().
  virtual Status step(Transition transition) = 0;

  // Takes steps as long as the guide names one and the execution is Running.
  virtual void follow(Guide& guide) {
    while (status() == Status::Running) {
      const Transition transition = guide.next(configuration());
      if (transition == kNoTransition) return;
      step(transition);
    }
  }

  // Where the last step was an atomic section, or the rest of one after a wait in it (is_section):
  // all actions that it took, in their order; repeated accesses to memory once. Empty if there are
  // too many to tell. A lock that it found taken, so that it waits, is Op::Blocked; looking for
  // the end of a thread is Op::ThreadTryJoin, whatever comes of it.
  virtual std::span<const Action> last_section() const { return {}; }

  // After a failure or a dismissal: the thread that took the last step takes no more and keeps what
  // it holds, the others can go on. False if the execution cannot be continued.
  virtual bool continue_without_failed_thread() { return false; }

  // Who has to move before a thread can take `next`, at which it is blocked: the holder of the
  // lock, the thread to be joined. None where it may be anybody.
  virtual ThreadId waits_for(const Action& /*next*/) const { return kNoThread; }

  // How many a semaphore, at which some thread stands, can give now; none where that is not known.
  virtual std::optional<uint32_t> semaphore_value(Address) const { return std::nullopt; }

  // A hash of everything that decides how the program goes on; 0 where that is not known. Asked for
  // between steps that were taken after keep_states(), until the next reset().
  virtual uint64_t global_state() const { return 0; }
  virtual void keep_states() {}
  // Whether reset() can be called more than once in this process.
  virtual bool can_rewind() const { return true; }

  // What becomes of threads that go round in loops which change nothing, from now on.
  virtual void set_spinning(Spinning) {}
  // A thread that goes round in a loop and may only count; kNoThread if there is none. Whether it
  // leaves the loop by itself is to be found out, and said.
  virtual ThreadId suspected_spinner() const { return kNoThread; }
  // `rounds`: that it has made since it was suspected. What is known of the loop now.
  virtual LoopPlaces::Place classify_loop(LoopPlaces::Kind, uint32_t /*rounds*/) { return {}; }
  // A thread said to wait for ever went on: whether more is known about loops now.
  virtual bool reconsider_loops() { return false; }
  // Grows with every change that a step makes (more often than that does no harm).
  virtual uint64_t changes() const { return 0; }

  // Steps through a known prefix; stops early when the execution ends. Returns how many steps were
  // taken. An executor may do this faster than one step at a time. A transition that is not
  // enabled ends it as well (the program did not repeat itself).
  virtual size_t run(std::span<const Transition> prefix) {
    size_t taken = 0;
    for (Transition transition : prefix) {
      if (status() != Status::Running) break;
      const ThreadView* view = configuration().find(transition.thread);
      if (view == nullptr || transition.choice >= view->choices) break;
      step(transition);
      ++taken;
    }
    return taken;
  }
};

}  // namespace heddle
